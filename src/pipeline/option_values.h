#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/suggest.h"
#include "pith/options.h"

namespace pith {

/// Throws Error{bad_option} that names the option, the value and what is wanted.
[[noreturn]] void reject(const std::string& option, const std::string& text, const std::string& wanted);

/// Whether all of the text is one number.
template <class Number>
bool parse_whole(const std::string& text, Number& out) {
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, out);
  return error == std::errc() && at == end && !text.empty();
}

/// The spellings of an enumeration, in the order of the help.
template <class Enum>
struct Choices {
  std::vector<std::pair<std::string_view, Enum>> all;

  [[nodiscard]] Enum parse(const std::string& option, const std::string& text) const {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : all) {
      if (name == text) return value;
      names.push_back(name);
    }
    const std::string nearest = nearest_word(text, names);
    reject(
        option, text,
        fmt::format("{}choose one of {}", nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                    fmt::join(names, ", ")));
  }
  [[nodiscard]] std::string name(Enum value) const {
    for (const auto& [name, known] : all)
      if (known == value) return std::string(name);
    return "?";
  }
};

[[nodiscard]] double parse_number(const std::string& option, const std::string& text);
[[nodiscard]] std::int64_t parse_integer(const std::string& option, const std::string& text);
/// "500M", "1.5GiB", "67108864": bytes. Units are binary, in either case.
[[nodiscard]] std::uint64_t parse_size(const std::string& option, const std::string& text);
[[nodiscard]] Budget parse_budget(const std::string& option, const std::string& text);

}  // namespace pith
