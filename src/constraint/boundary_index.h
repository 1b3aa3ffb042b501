#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "constraint/balance.h"

namespace pith {

/// The boundaries that have items, ascending by (lower class, higher class), and each item's own.
struct BoundaryIndex {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::vector<std::uint32_t>
      group_of;  ///< of each item; no_group where the margin is at most tau, or excluded
  std::vector<std::uint32_t> further_groups;  ///< the others of each item, one less than asked for
};

/// Time O(n + min(L^2, 4n + 2^16)) where the pairs fit a table of that size, else O(n) expected for hashing
/// plus sorting the distinct pairs. Memory never grows with L^2 beyond that table. With one class there are
/// no pairs.
[[nodiscard]] BoundaryIndex index_boundaries(const Predictions& predictions, const Pool& pool, double tau,
                                             std::uint32_t boundaries_per_item = 1);

}  // namespace pith
