#pragma once

#include <concepts>
#include <string>

namespace pith {

/// 1234567 -> "1,234,567", whatever the locale.
template <std::integral Number>
std::string with_commas(Number number) {
  std::string text = std::to_string(number);
  const std::size_t first = text[0] == '-' ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) text.insert(at -= 3, ",");
  return text;
}

}  // namespace pith
