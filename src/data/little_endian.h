#pragma once

#include <cstddef>
#include <span>

namespace pith {

/// The unsigned little-endian number at `offset`, aligned or not. The caller has checked that it lies inside.
template <class Unsigned>
[[nodiscard]] Unsigned load_little(std::span<const std::byte> bytes, std::size_t offset) noexcept {
  Unsigned value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    value = static_cast<Unsigned>(value | std::to_integer<Unsigned>(bytes[offset + i]) << 8 * i);
  return value;
}

}  // namespace pith
