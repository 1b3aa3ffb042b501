#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "constraint/feasibility.h"

namespace pith {

/// A cell as the flow sees it: groups are indices into the two lists of rooms.
struct FlowCell {
  std::uint32_t class_group = 0;
  std::uint32_t boundary_group = 0;
  std::int64_t items = 0;
};

/// How many more items each group can take. One entry more than there are groups: the last, unlimited, serves
/// the cells that the partition does not touch, and all of them where the constraint is off.
struct Rooms {
  std::vector<std::int64_t> classes;
  std::vector<std::int64_t> boundaries;
};

/// Maximum flow source -> class -> boundary -> sink for one set of cells and many sets of caps.
///
/// Three stages, each leaving less to the next. Reduction: what can be decided at one group alone (see
/// settle()). Greedy: fill the classes, those with least to spare first; done if it meets the upper bound.
/// Residual: the nodes that still lie between a class with room and a boundary with room go to Boost.Graph.
class CapFlow {
 public:
  CapFlow(const Balance& balance, const std::vector<Cell>& cells);

  /// All candidates: larger than any room needs to be.
  [[nodiscard]] std::int64_t total() const noexcept { return total_; }

  /// The largest number of items that fits `rooms`. Given `enough`, may stop early: at any achievable number
  /// >= enough, or at any upper bound < enough; comparing the answer with `enough` is right either way.
  [[nodiscard]] std::int64_t largest(Rooms rooms,
                                     std::int64_t enough = std::numeric_limits<std::int64_t>::max());

 private:
  std::int64_t reduce(Rooms& rooms);
  std::int64_t fill(Rooms& rooms);

  std::vector<FlowCell> cells_;  ///< ascending by class
  std::int64_t total_ = 0;
  std::vector<FlowCell> live_;       ///< scratch: undecided cells, ascending by class
  std::vector<std::int64_t> taken_;  ///< scratch: items taken of each live cell
  std::vector<std::int64_t> sums_;   ///< scratch: a number for each group
};

/// Rooms under the caps in force.
[[nodiscard]] Rooms rooms_of(const Balance& balance, std::int64_t unlimited);

/// How many more items fit, given a flow `taken` over `cells` (ascending by class) and the rooms
/// left.
[[nodiscard]] std::int64_t augment_by_max_flow(const std::vector<FlowCell>& cells,
                                               const std::vector<std::int64_t>& taken, const Rooms& left);

}  // namespace pith
