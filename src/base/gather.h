#pragma once

#include <cstddef>

#include "pith/matrix.h"

namespace pith {

/// Rows first .. first+count-1 as their elements' bytes: the view's scalar type, native order, row-major
/// without gaps.
void gather_elements(const MatrixView& view, std::size_t first, std::size_t count, std::byte* out);

/// The same bytes where they are, if they lie in one piece like that; else nullptr. count > 0.
[[nodiscard]] const std::byte* rows_as_they_lie(const MatrixView& view, std::size_t first,
                                                std::size_t count) noexcept;

}  // namespace pith
