#pragma once

#include <concepts>
#include <string>

namespace pith {

/// 1234567 -> "1,234,567", whatever the locale.
template <std::integral Number>
std::string with_commas(Number number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t at = 0; at < digits.size(); ++at) {
    if (at > 0 && (digits.size() - at) % 3 == 0 && digits[at - 1] != '-') text += ',';
    text += digits[at];
  }
  return text;
}

}  // namespace pith
