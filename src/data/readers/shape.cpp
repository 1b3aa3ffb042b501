#include "data/readers/shape.h"

#include "data/refuse.h"

namespace pith {

std::string shape_text(std::span<const std::uint64_t> shape) {
  constexpr std::size_t most = 8;
  std::string out = "(";
  for (std::size_t i = 0; i < shape.size() && i < most; ++i)
    out += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  if (shape.size() > most) out += ", ...";
  return out + (shape.size() == 1 ? ",)" : ")");
}

std::size_t array_bytes(const std::string& source, std::span<const std::uint64_t> shape,
                        std::size_t element_bytes) {
  std::uint64_t bytes = element_bytes;
  for (const std::uint64_t extent : shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > PTRDIFF_MAX)
      refuse_input(source,
                   "shape {} overflows: no file can hold it; the header is damaged, save the array again",
                   shape_text(shape));
  return bytes;
}

void check_matrix_shape(const std::string& source, std::span<const std::uint64_t> shape) {
  if (shape.size() == 1)
    refuse_input(source,
                 "shape {} is 1-D, but a matrix of one row per item is needed; "
                 "save array.reshape(len(array), -1), or, of the probabilities of one of two classes, "
                 "numpy.column_stack([1 - array, array])",
                 shape_text(shape));
  if (shape.size() != 2)
    refuse_input(source, "shape {} is {}-D, but a 2-D matrix is needed; save array.reshape(len(array), -1)",
                 shape_text(shape), shape.size());
  if (shape[0] == 0 || shape[1] == 0)
    refuse_input(source, "shape {} is empty; at least one row and one column are needed", shape_text(shape));
  constexpr std::uint64_t limit = UINT32_MAX;
  if (shape[0] >= limit || shape[1] >= limit)
    refuse_input(source, "shape {} is too large: rows and columns must each be fewer than {}; split the data",
                 shape_text(shape), limit);
}

}  // namespace pith
