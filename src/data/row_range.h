#pragma once

#include <cstddef>

namespace pith {

/// Rows first .. last-1 of a matrix.
struct RowRange {
  std::size_t first = 0;
  std::size_t last = 0;
};

}  // namespace pith
