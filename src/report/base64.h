#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace pith {

/// RFC 4648, with padding.
[[nodiscard]] inline std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t left = bytes.size() - at;
    const std::uint32_t three = static_cast<std::uint32_t>(bytes[at]) << 16 |
                                (left > 1 ? static_cast<std::uint32_t>(bytes[at + 1]) << 8 : 0U) |
                                (left > 2 ? static_cast<std::uint32_t>(bytes[at + 2]) : 0U);
    text += digits[three >> 18];
    text += digits[three >> 12 & 63U];
    text += left > 1 ? digits[three >> 6 & 63U] : '=';
    text += left > 2 ? digits[three & 63U] : '=';
  }
  return text;
}

}  // namespace pith
