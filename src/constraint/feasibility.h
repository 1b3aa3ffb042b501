#pragma once

#include <cstdint>
#include <vector>

#include "constraint/balance.h"

namespace pith {

/// Candidates of one class in one boundary (or in none). Feasibility depends on the items only through these.
struct Cell {
  std::uint32_t class_group = 0;
  std::uint32_t boundary_group = no_group;
  std::int64_t items = 0;
};

/// Non-empty cells, ascending by class, then boundary (no_group last).
[[nodiscard]] std::vector<Cell> count_cells(const Balance& balance, const Pool& pool);

/// The largest number of candidates that fit the caps in force, exactly: a maximum flow
/// source -> class -> boundary -> sink. Where items have several boundaries each counts in its first alone,
/// and the flow is an upper bound (to find the true number is 3-dimensional matching, NP-hard).
[[nodiscard]] std::int64_t feasible_size(const Balance& balance, const std::vector<Cell>& cells);

struct Relaxation {
  std::int64_t feasible_size_requested = 0;  ///< largest feasible set under the caps as requested
  std::int64_t feasible_size = 0;            ///< under the caps now in force
  bool relaxed = false;
  std::int64_t class_level = 0;  ///< water level the class caps were raised to, 0 if they were not
  double boundary_factor = 1;    ///< factor the boundary caps were raised by
};

/// Raises balance's caps in place by the least that admits `budget` items: first the class caps, evenly (each
/// to at least a common level, the smallest that works), then, only if no level works, the boundary caps in
/// proportion (floor(t * cap), the smallest t that works; then the smallest class level for it). Caps of zero
/// mean `never` and stay zero.
Relaxation relax_caps(Balance& balance, const std::vector<Cell>& cells, std::int64_t budget);

}  // namespace pith
