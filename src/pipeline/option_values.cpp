#include "pipeline/option_values.h"

#include <algorithm>
#include <cmath>

#include "data/text.h"
#include "pith/error.h"

namespace pith {

[[noreturn]] void reject(const std::string& option, const std::string& text, const std::string& wanted) {
  throw Error(ErrorKind::bad_option, fmt::format("--{}: '{}' given; {}", option, text, wanted));
}

double parse_number(const std::string& option, const std::string& text) {
  double value = 0;
  if (!parse_whole(text, value)) reject(option, text, "write a number");
  return value;
}

std::int64_t parse_integer(const std::string& option, const std::string& text) {
  std::int64_t value = 0;
  if (!parse_whole(text, value)) reject(option, text, "write a whole number");
  return value;
}

Budget parse_budget(const std::string& option, const std::string& text) {
  if (!text.empty() && text.back() == '%') {
    double percent = 0;
    if (!parse_whole(text.substr(0, text.size() - 1), percent))
      reject(option, text, "write a count such as 5000 or a share such as 10%");
    return {.amount = percent / 100};
  }
  std::int64_t count = 0;
  if (!parse_whole(text, count)) reject(option, text, "write a count such as 5000 or a share such as 10%");
  return {.amount = count};
}

std::uint64_t parse_size(const std::string& option, const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string unit = lower_case(std::string_view(text).substr(digits));
  if (unit.size() > 1 && unit.ends_with("ib"))
    unit.resize(unit.size() - 2);
  else if (unit.ends_with('b'))
    unit.resize(unit.size() - 1);
  static constexpr std::string_view letters = "kmgt";
  const std::size_t letter = unit.size() == 1 ? letters.find(unit) : std::string_view::npos;
  // "ib" needs a letter before it; "b" alone means bytes.
  const bool plain = unit.empty() && text.size() <= digits + 1;
  double number = 0;
  if ((!plain && letter == std::string_view::npos) || !parse_whole(text.substr(0, digits), number))
    reject(option, text, "write bytes or a size such as 500M or 4G (K, M, G, T; 1K is 1024 bytes)");
  const double bytes = std::round(plain ? number : std::ldexp(number, 10 * (static_cast<int>(letter) + 1)));
  if (bytes >= 0x1p63) reject(option, text, "that is beyond any machine; write a size such as 4G");
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace pith
