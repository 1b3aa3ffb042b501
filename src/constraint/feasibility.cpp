#include "constraint/feasibility.h"

#include <array>
#include <optional>

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

/// The cells where, as predictions have it, a candidate's class is one of the two of its boundary: two
/// counters a boundary, one pass over the items. Nothing if some candidate is otherwise.
std::optional<std::vector<Cell>> count_pair_cells(const Balance& balance, const Pool& pool) {
  const auto& pairs = balance.boundary_pairs;
  const std::size_t classes = balance.classes.groups();
  if (pairs.size() != balance.boundaries.groups()) return std::nullopt;
  std::vector<std::array<std::uint32_t, 2>> of_pair(pairs.size(), {0, 0});
  std::vector<std::uint32_t> of_none(classes, 0);
  for (std::size_t i = 0; i < pool.state.size(); ++i) {
    if (pool.state[i] != Pool::State::candidate) continue;
    const std::uint32_t in_class = balance.classes.group_of[i];
    const std::uint32_t boundary = balance.boundaries.group_of[i];
    if (in_class >= classes) return std::nullopt;
    if (boundary == no_group) {
      ++of_none[in_class];
      continue;
    }
    const auto [low, high] = pairs[boundary];
    if (in_class != low && in_class != high) return std::nullopt;
    ++of_pair[boundary][in_class == high ? 1 : 0];
  }
  Buckets by_class(classes);
  const auto for_each_cell = [&](auto visit) {
    for (std::uint32_t b = 0; b < pairs.size(); ++b) {
      if (of_pair[b][0] > 0) visit(pairs[b].first, b, of_pair[b][0]);
      if (of_pair[b][1] > 0) visit(pairs[b].second, b, of_pair[b][1]);
    }
    for (std::uint32_t c = 0; c < classes; ++c) {
      if (of_none[c] > 0) visit(c, no_group, of_none[c]);
    }
  };
  std::size_t count = 0;
  for_each_cell([&](std::uint32_t c, std::uint32_t, std::uint32_t) {
    by_class.count(c);
    ++count;
  });
  by_class.close();
  std::vector<Cell> cells(count);
  for_each_cell([&](std::uint32_t c, std::uint32_t b, std::uint32_t items) {
    cells[by_class.place(c)] = {c, b, items};
  });
  return cells;
}

/// Any cells, also of partitions that make_balance() does not make: two stable counting sorts of the items,
/// by boundary and then by class, and the lengths of the runs.
std::vector<Cell> count_any_cells(const Balance& balance, const Pool& pool) {
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

}  // namespace

/// O(n + classes + boundaries), no comparisons.
std::vector<Cell> count_cells(const Balance& balance, const Pool& pool) {
  if (auto cells = count_pair_cells(balance, pool)) return std::move(*cells);
  return count_any_cells(balance, pool);
}

std::int64_t feasible_size(const Balance& balance, const std::vector<Cell>& cells) {
  CapFlow flow(balance, cells);
  return flow.largest(rooms_of(balance, flow.total()));
}

}  // namespace pith
