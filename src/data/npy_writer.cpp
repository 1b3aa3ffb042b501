#include "data/npy_writer.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <string_view>

#include "pith/error.h"

namespace pith {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t prefix_bytes = 10;

std::string npy_header(std::string_view descr, const std::string& shape) {
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape);
  const std::size_t used = prefix_bytes + dict.size() + 1;
  dict.append((alignment - used % alignment) % alignment, ' ');
  dict += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(dict.size() & 0xffU);
  out += static_cast<char>(dict.size() >> 8);
  return out + dict;
}

std::string_view descr_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::f16:
      return "<f2";
    case Scalar::f32:
      return "<f4";
    case Scalar::f64:
      return "<f8";
    case Scalar::bf16:
      break;
  }
  throw Error(ErrorKind::unsupported, "bf16 cannot be written as .npy, which has no such type; write f32");
}

}  // namespace

std::string npy_header_of_int64(std::size_t count) {
  return npy_header("<i8", fmt::format("({},)", count));
}

std::string npy_of_int64(std::span<const std::uint32_t> values) {
  static_assert(std::endian::native == std::endian::little);
  std::string bytes = npy_header_of_int64(values.size());
  const std::size_t header = bytes.size();
  bytes.resize(header + values.size() * sizeof(std::int64_t));
  char* at = bytes.data() + header;
  for (const std::int64_t value : values) {
    std::memcpy(at, &value, sizeof value);
    at += sizeof value;
  }
  return bytes;
}

std::string npy_header_of_matrix(Scalar scalar, std::size_t rows, std::size_t cols) {
  return npy_header(descr_of(scalar), fmt::format("({}, {})", rows, cols));
}

}  // namespace pith
