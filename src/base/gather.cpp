#include "base/gather.h"

#include <algorithm>
#include <cstring>

namespace pith {

void gather_elements(const MatrixView& view, std::size_t first, std::size_t count, std::byte* out) {
  const std::size_t size = bytes_of(view.scalar);
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

}  // namespace pith
