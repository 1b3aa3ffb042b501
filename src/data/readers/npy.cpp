#include "data/readers/npy.h"

#include <bit>

#include "data/readers/shape.h"
#include "data/refuse.h"

namespace pith {
namespace {

bool is_object(const NpyHeader& header) noexcept {
  return header.descr == "O" || header.descr.starts_with("|O");
}

void require_integers(const NpyHeader& header, const std::string& source) {
  const std::size_t width = header.item_bytes;
  if ((header.kind != 'i' && header.kind != 'u') || width == 0 || width > 8 || !std::has_single_bit(width))
    refuse_unsupported(source,
                       "dtype {} is not supported (supported: integers of 8 to 64 bits); "
                       "save array.astype('int64')",
                       in_quotes(header.descr));
}

std::uint64_t load_bits(const std::byte* at, std::size_t width, bool swapped) noexcept {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const bool little = (std::endian::native == std::endian::little) != swapped;
    bits |= std::to_integer<std::uint64_t>(at[i]) << 8 * (little ? i : width - 1 - i);
  }
  return bits;
}

}  // namespace

bool is_float(const NpyHeader& header) noexcept {
  return header.kind == 'f' && (header.item_bytes == 2 || header.item_bytes == 4 || header.item_bytes == 8);
}

Scalar scalar_of(const NpyHeader& header) noexcept {
  return header.item_bytes == 2 ? Scalar::f16 : header.item_bytes == 4 ? Scalar::f32 : Scalar::f64;
}

bool is_float_matrix(const NpyHeader& header) noexcept {
  return is_float(header) && header.shape.size() == 2;
}

Matrix read_npy(const Bytes& file) {
  const NpyHeader header = parse_npy_header(file.data, file.name);
  if (is_object(header))
    refuse_unsupported(file.name,
                       "holds Python objects (dtype object), which Pith does not unpickle; "
                       "save array.astype('float32')");
  if (header.shape.size() == 1 && (header.kind == 'i' || header.kind == 'u'))
    refuse_input(
        file.name,
        "is a list of {} whole numbers, such as labels or indices; needed is a row of numbers for each "
        "item: its embedding, or its class probabilities",
        header.shape[0]);
  if (!is_float(header))
    refuse_unsupported(file.name,
                       "dtype {} is not supported (supported: float16, float32, float64); "
                       "save array.astype('float32')",
                       in_quotes(header.descr));
  check_matrix_shape(file.name, header.shape);
  check_npy_size(header, file.data.size(), file.name);
  const auto item = static_cast<std::ptrdiff_t>(header.item_bytes);
  const auto rows = static_cast<std::ptrdiff_t>(header.shape[0]);
  const auto cols = static_cast<std::ptrdiff_t>(header.shape[1]);
  return {.view = {.data = file.data.data() + header.data_offset,
                   .rows = header.shape[0],
                   .cols = header.shape[1],
                   .row_stride_bytes = header.fortran_order ? item : item * cols,
                   .col_stride_bytes = header.fortran_order ? item * rows : item,
                   .scalar = scalar_of(header),
                   .byte_swapped = header.byte_swapped},
          .owner = file.owner,
          .source = file.name};
}

std::vector<std::int64_t> read_npy_integers(const Bytes& file) {
  const NpyHeader header = parse_npy_header(file.data, file.name);
  require_integers(header, file.name);
  if (header.shape.size() != 1)
    refuse_input(file.name, "shape {} is {}-D, but a 1-D list of item indices is needed; save array.ravel()",
                 shape_text(header.shape), header.shape.size());
  return read_npy_integers(file, header);
}

std::vector<std::int64_t> read_npy_integers(const Bytes& file, const NpyHeader& header) {
  require_integers(header, file.name);
  check_npy_size(header, file.data.size(), file.name);
  const std::size_t width = header.item_bytes;
  std::vector<std::int64_t> values(header.shape[0]);
  const unsigned unused_bits = 64 - 8 * static_cast<unsigned>(width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits =
        load_bits(file.data.data() + header.data_offset + i * width, width, header.byte_swapped);
    if (header.kind == 'u' && bits > INT64_MAX)
      refuse_input(file.name, "entry {} (from 0) is {}, beyond 63 bits; check the file", i, bits);
    values[i] = header.kind == 'u' ? static_cast<std::int64_t>(bits)
                                   : static_cast<std::int64_t>(bits << unused_bits) >> unused_bits;
  }
  return values;
}

}  // namespace pith
