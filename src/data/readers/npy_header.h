#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/bytes.h"

namespace pith {

/// What an .npy file says of itself before its data.
struct NpyHeader {
  std::string descr;           ///< the dtype as written, e.g. "<f4"
  char kind = 0;               ///< its letter ('f', 'i', 'u', ...), or 0 if the dtype has another form
  std::size_t item_bytes = 0;  ///< 0 if kind is
  bool byte_swapped = false;   ///< the other byte order than this machine's
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;  ///< bytes before the first element
};

/// Longest header read, magic included; a longer one only structured dtypes need, which are not supported.
inline constexpr std::size_t npy_header_limit = 1 << 16;

[[nodiscard]] bool has_npy_magic(std::span<const std::byte> start) noexcept;

/// Parses the header at the start of `start`, of which npy_header_limit bytes are enough. Versions 1, 2
/// and 3. The dictionary must have exactly the keys descr, fortran_order and shape.
[[nodiscard]] NpyHeader parse_npy_header(std::span<const std::byte> start, const std::string& source);

/// Refuses a file of `file_bytes` bytes unless the header's shape fills the rest of it exactly.
void check_npy_size(const NpyHeader& header, std::size_t file_bytes, const std::string& source);

}  // namespace pith
