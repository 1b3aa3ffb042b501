#include "data/readers/fvecs.h"

#include <array>
#include <bit>

#include "data/little_endian.h"
#include "data/readers/shape.h"
#include "data/refuse.h"

namespace pith {

Matrix read_fvecs(const Bytes& file) {
  if (file.data.empty()) refuse_input(file.name, "empty file; at least one row is needed");
  if (file.data.size() < 4)
    refuse_input(file.name, "truncated: {} bytes hold no .fvecs row", file.data.size());
  const auto cols_at = [&](std::size_t offset) {
    return static_cast<std::int32_t>(load_little<std::uint32_t>(file.data, offset));
  };
  const std::int32_t cols = cols_at(0);
  if (cols <= 0)
    refuse_input(file.name, "row 0 claims {} columns; at least one is needed, is this an .fvecs file?", cols);
  const std::size_t row_bytes = 4 + 4 * static_cast<std::size_t>(cols);
  const std::size_t rows = file.data.size() / row_bytes;
  for (std::size_t row = 1; row < rows; ++row)
    if (const std::int32_t found = cols_at(row * row_bytes); found != cols)
      refuse_input(file.name,
                   "row {} claims {} columns but row 0 claims {}; every row must have the same number", row,
                   found, cols);
  if (file.data.size() % row_bytes != 0)
    refuse_input(file.name,
                 "truncated: rows of {} columns take {} bytes each, and {} bytes are left after {}; "
                 "copy the file again",
                 cols, row_bytes, file.data.size() % row_bytes,
                 rows == 0 ? std::string("no row at all") : fmt::format("row {}", rows - 1));
  check_matrix_shape(file.name, std::array{std::uint64_t{rows}, static_cast<std::uint64_t>(cols)});
  return {.view = {.data = file.data.data() + 4,
                   .rows = rows,
                   .cols = static_cast<std::size_t>(cols),
                   .row_stride_bytes = static_cast<std::ptrdiff_t>(row_bytes),
                   .col_stride_bytes = sizeof(float),
                   .scalar = Scalar::f32,
                   .byte_swapped = std::endian::native == std::endian::big},
          .owner = file.owner,
          .source = file.name};
}

}  // namespace pith
