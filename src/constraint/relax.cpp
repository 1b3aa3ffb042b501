#include <algorithm>

#include "constraint/cap_flow.h"
#include "constraint/caps.h"
#include "constraint/feasibility.h"

namespace pith {
namespace {

/// A factor of the boundary caps: raised / requested, both below 2^32.
struct Factor {
  std::uint64_t raised = 1;
  std::uint64_t requested = 1;

  friend bool operator<(const Factor& a, const Factor& b) {
    return a.raised * b.requested < b.raised * a.requested;
  }
};

/// Caps as requested: what minimality is measured against.
void reset(Partition& partition) {
  partition.cap = partition.cap_requested;
}

bool may_grow(const Partition& partition, std::size_t group) {
  return partition.cap_requested[group] > 0;
}

/// Whether the partition lets any cap have items of this group.
bool admits(const Partition& partition, std::uint32_t group) {
  return !partition.active || group >= partition.groups() || may_grow(partition, group);
}

void raise_classes(Partition& classes, std::int64_t level) {
  for (std::size_t g = 0; g < classes.groups(); ++g) {
    classes.cap[g] = classes.cap_requested[g];
    if (may_grow(classes, g)) classes.cap[g] = std::max(classes.cap[g], level);
  }
}

void raise_boundaries(Partition& boundaries, const Factor& factor) {
  for (std::size_t g = 0; g < boundaries.groups(); ++g) {
    boundaries.cap[g] = floor_of_share(boundaries.cap_requested[g], static_cast<std::int64_t>(factor.raised),
                                       static_cast<std::int64_t>(factor.requested));
  }
}

class Relaxer {
 public:
  Relaxer(Balance& balance, const std::vector<Cell>& cells)
      : balance_(balance), cells_(cells), flow_(balance, cells) {}

  [[nodiscard]] std::int64_t largest() { return flow_.largest(rooms_of(balance_, flow_.total())); }

  /// Items that no raising leaves out: those of groups without a cap of zero.
  [[nodiscard]] std::int64_t most_possible() const {
    std::int64_t items = 0;
    for (const Cell& cell : cells_) {
      if (admits(balance_.classes, cell.class_group) && admits(balance_.boundaries, cell.boundary_group)) {
        items += cell.items;
      }
    }
    return items;
  }

  /// A level no class can use more than.
  [[nodiscard]] std::int64_t highest_level() const {
    const Partition& classes = balance_.classes;
    std::int64_t level = 0;
    for (std::size_t g = 0; g < classes.groups(); ++g) {
      level = std::max(level, classes.available[g] + classes.labelled[g]);
    }
    return level;
  }

  [[nodiscard]] bool reaches(std::int64_t level, std::int64_t goal) {
    raise_classes(balance_.classes, level);
    return flow_.largest(rooms_of(balance_, flow_.total()), goal) >= goal;
  }

  /// Leaves the class caps at the smallest level that reaches `goal`, given that highest_level() does.
  /// Gallops up from the level that would do without boundaries: O(log) flows, and a single one where
  /// boundaries do not matter.
  std::int64_t raise_to_least_level(std::int64_t goal) {
    std::int64_t low = least_level_without_boundaries(goal);
    std::int64_t high = highest_level();
    for (std::int64_t step = 1, probe = low; probe < high; probe += step, step *= 2) {
      if (reaches(probe, goal)) {
        high = probe;
      } else {
        low = probe + 1;
      }
    }
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (reaches(middle, goal)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    raise_classes(balance_.classes, low);
    return low;
  }

  /// The least factor by which the boundary caps reach `goal` when classes do not limit, given that some
  /// does. Without class limits the feasible size is a sum over boundaries, and grows by one item at each
  /// factor (labelled + j) / cap, j = 1..items: the wanted one is an order statistic of these. O(n) expected.
  [[nodiscard]] Factor least_factor(std::int64_t goal) const {
    const Partition& boundaries = balance_.boundaries;
    std::vector<std::int64_t> items(boundaries.groups(), 0);
    std::int64_t reached = 0;
    for (const Cell& cell : cells_) {
      if (!admits(balance_.classes, cell.class_group)) continue;
      (cell.boundary_group < items.size() ? items[cell.boundary_group] : reached) += cell.items;
    }
    std::vector<Factor> steps;
    for (std::size_t g = 0; g < items.size(); ++g) {
      if (!may_grow(boundaries, g)) continue;
      const std::int64_t cap = boundaries.cap_requested[g];
      const std::int64_t filled = boundaries.labelled[g] + items[g];
      reached += std::clamp<std::int64_t>(cap - boundaries.labelled[g], 0, items[g]);
      for (std::int64_t below = std::max(cap, boundaries.labelled[g]); below < filled; ++below) {
        steps.push_back({static_cast<std::uint64_t>(below + 1), static_cast<std::uint64_t>(cap)});
      }
    }
    const auto wanted = steps.begin() + (goal - reached - 1);
    std::nth_element(steps.begin(), wanted, steps.end());
    return *wanted;
  }

 private:
  [[nodiscard]] std::int64_t least_level_without_boundaries(std::int64_t goal) const {
    const Partition& classes = balance_.classes;
    std::vector<std::int64_t> items(classes.groups(), 0);
    std::int64_t untouched = 0;
    for (const Cell& cell : cells_) {
      if (!admits(balance_.boundaries, cell.boundary_group)) continue;
      (cell.class_group < items.size() ? items[cell.class_group] : untouched) += cell.items;
    }
    const auto filled = [&](std::int64_t level) {
      std::int64_t sum = untouched;
      for (std::size_t g = 0; g < items.size(); ++g) {
        const std::int64_t cap = may_grow(classes, g) ? std::max(classes.cap_requested[g], level) : 0;
        sum += std::clamp<std::int64_t>(cap - classes.labelled[g], 0, items[g]);
      }
      return sum;
    };
    std::int64_t low = 0;
    std::int64_t high = highest_level();
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (filled(middle) >= goal) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  Balance& balance_;
  const std::vector<Cell>& cells_;
  CapFlow flow_;
};

}  // namespace

Relaxation relax_caps(Balance& balance, const std::vector<Cell>& cells, std::int64_t budget) {
  Partition& classes = balance.classes;
  Partition& boundaries = balance.boundaries;
  reset(classes);
  reset(boundaries);
  Relaxer relaxer(balance, cells);
  Relaxation result;
  result.feasible_size_requested = relaxer.largest();
  result.feasible_size = result.feasible_size_requested;
  const std::int64_t goal = std::min(budget, relaxer.most_possible());
  if (result.feasible_size >= goal) return result;

  if (!classes.active || !relaxer.reaches(relaxer.highest_level(), goal)) {
    const Factor factor = relaxer.least_factor(goal);
    raise_boundaries(boundaries, factor);
    result.boundary_factor = static_cast<double>(factor.raised) / static_cast<double>(factor.requested);
  }
  if (classes.active) {
    const std::int64_t level = relaxer.raise_to_least_level(goal);
    if (classes.cap != classes.cap_requested) result.class_level = level;
  }
  result.relaxed = true;
  result.feasible_size = relaxer.largest();
  return result;
}

}  // namespace pith
