#include "base/gather.h"

#include <algorithm>
#include <cstring>

namespace pith {

void gather_elements(const MatrixView& view, std::size_t first, std::size_t count, std::byte* out) {
  const std::size_t size = bytes_of(view.scalar);
  if (view.pieces != nullptr)
    return view.pieces->for_each_part(
        first, count, [&](const MatrixView& part, std::size_t at, std::size_t rows, std::size_t before) {
          gather_elements(part, at, rows, out + before * view.cols * size);
        });
  const bool side_by_side = !view.byte_swapped && view.col_stride_bytes == static_cast<std::ptrdiff_t>(size);
  for (std::size_t row = first; row < first + count; ++row) {
    const std::byte* at = view.data + static_cast<std::ptrdiff_t>(row) * view.row_stride_bytes;
    if (side_by_side) {
      std::memcpy(out, at, view.cols * size);
      out += view.cols * size;
      continue;
    }
    for (std::size_t col = 0; col < view.cols; ++col, at += view.col_stride_bytes, out += size) {
      std::memcpy(out, at, size);
      if (view.byte_swapped) std::reverse(out, out + size);
    }
  }
}

const std::byte* rows_as_they_lie(const MatrixView& view, std::size_t first, std::size_t count) noexcept {
  if (view.pieces != nullptr) {
    const std::size_t piece = view.pieces->piece_of(first);
    const std::size_t at = first - view.pieces->starts[piece];
    const MatrixView& part = view.pieces->views[piece];
    return at + count <= part.rows ? rows_as_they_lie(part, at, count) : nullptr;
  }
  const auto size = static_cast<std::ptrdiff_t>(bytes_of(view.scalar));
  const bool plain = !view.byte_swapped && view.col_stride_bytes == size &&
                     view.row_stride_bytes == static_cast<std::ptrdiff_t>(view.cols) * size;
  return plain ? view.address_of(first) : nullptr;
}

}  // namespace pith
