#include "constraint/feasibility.h"

#include "constraint/cap_flow.h"

namespace pith {
namespace {

/// Offsets of a stable counting sort: where the first of each group goes. no_group is the last group.
class Buckets {
 public:
  explicit Buckets(std::size_t groups) : next_(groups + 2, 0) {}
  void count(std::uint32_t group) { ++next_[slot(group) + 1]; }
  void close() {
    for (std::size_t g = 1; g < next_.size(); ++g) next_[g] += next_[g - 1];
  }
  std::size_t place(std::uint32_t group) { return next_[slot(group)]++; }

 private:
  [[nodiscard]] std::size_t slot(std::uint32_t group) const {
    return std::min<std::size_t>(group, next_.size() - 2);
  }
  std::vector<std::uint32_t> next_;
};

}  // namespace

/// Two stable counting sorts, by boundary and then by class, and the lengths of the runs: O(n + classes +
/// boundaries), no comparisons.
std::vector<Cell> count_cells(const Balance& balance, const Pool& pool) {
  struct Groups {
    std::uint32_t of_class;
    std::uint32_t of_boundary;
  };
  const auto& class_of = balance.classes.group_of;
  const auto& boundary_of = balance.boundaries.group_of;
  Buckets by_class(balance.classes.groups());
  Buckets by_boundary(balance.boundaries.groups());
  std::size_t candidates = 0;
  for (std::size_t i = 0; i < pool.state.size(); ++i) {
    if (pool.state[i] != Pool::State::candidate) continue;
    by_class.count(class_of[i]);
    by_boundary.count(boundary_of[i]);
    ++candidates;
  }
  by_class.close();
  by_boundary.close();
  std::vector<Groups> ordered(candidates);
  for (std::size_t i = 0; i < pool.state.size(); ++i) {
    if (pool.state[i] != Pool::State::candidate) continue;
    ordered[by_boundary.place(boundary_of[i])] = {class_of[i], boundary_of[i]};
  }
  std::vector<Groups> sorted(candidates);
  for (const Groups& groups : ordered) sorted[by_class.place(groups.of_class)] = groups;

  std::vector<Cell> cells;
  for (const Groups& groups : sorted) {
    if (cells.empty() || cells.back().class_group != groups.of_class ||
        cells.back().boundary_group != groups.of_boundary) {
      cells.push_back({groups.of_class, groups.of_boundary, 0});
    }
    ++cells.back().items;
  }
  return cells;
}

std::int64_t feasible_size(const Balance& balance, const std::vector<Cell>& cells) {
  CapFlow flow(balance, cells);
  return flow.largest(rooms_of(balance, flow.total()));
}

}  // namespace pith
