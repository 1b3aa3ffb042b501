#pragma once

#include <bit>
#include <cstdint>

namespace pith {

inline float widen_bf16(std::uint16_t bits) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// IEEE binary16 to binary32, exact for every input (subnormals, infinities and NaN included).
inline float widen_f16(std::uint16_t bits) noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
  const std::uint32_t rest = bits & 0x7fffU;
  // Shifting exponent and mantissa into place leaves the value 2^-112 times too small, subnormals included.
  // No branch, so that loops over this can be vectorised.
  const auto finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest << 13) * 0x1p112F);
  const std::uint32_t special = 0x7f800000U | ((rest & 0x3ffU) << 13);
  return std::bit_cast<float>(sign | (rest >= 0x7c00U ? special : finite));
}

}  // namespace pith
