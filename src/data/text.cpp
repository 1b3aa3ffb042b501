#include "data/text.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace pith {
namespace {

constexpr std::size_t longest_quote = 60;
constexpr std::size_t most_listed = 10;

template <class Number>
std::optional<Number> parse_number(std::string_view text) noexcept {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = fast_float::from_chars(text.data(), end, value);
  if (text.empty() || error == std::errc::invalid_argument || stop != end) return std::nullopt;
  return value;
}

}  // namespace

bool starts_with_control(std::string_view text) noexcept {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return false;
  // U+0080 to U+009F are controls, too: some terminals obey them.
  return at(0) < 0x20 || at(0) == 0x7f || (at(0) == 0xc2 && text.size() > 1 && at(1) < 0xa0);
}

std::size_t utf8_sequence_bytes(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((at(i) & 0xc0) != 0x80) return 0;
  // Overlong forms, surrogates and code points past U+10FFFF, all told by the second byte.
  if ((lead == 0xe0 && at(1) < 0xa0) || (lead == 0xed && at(1) > 0x9f)) return 0;
  if ((lead == 0xf0 && at(1) < 0x90) || (lead == 0xf4 && at(1) > 0x8f)) return 0;
  return length;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = starts_with_control(text) ? 0 : utf8_sequence_bytes(text);
    if (length == 0)
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", lead);
    else
      out.append(text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

std::string in_quotes(std::string_view text) {
  if (text.size() <= longest_quote) return fmt::format("'{}'", printable(text));
  std::size_t cut = longest_quote;
  while (cut > longest_quote - 4 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
  return fmt::format("'{}...'", printable(text.substr(0, cut)));
}

std::string list_in_quotes(std::span<const std::string> texts) {
  std::string out;
  for (std::size_t i = 0; i < std::min(texts.size(), most_listed); ++i)
    out += (i == 0 ? "" : ", ") + in_quotes(texts[i]);
  if (texts.size() > most_listed) out += fmt::format(" and {} more", texts.size() - most_listed);
  return out;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string extension_of(std::string_view path) {
  return lower_case(std::filesystem::path(path).extension().native());
}

std::string_view trimmed(std::string_view text) noexcept {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_bom(std::string_view text) noexcept {
  constexpr std::string_view bom = "\xef\xbb\xbf";
  if (text.starts_with(bom)) text.remove_prefix(bom.size());
  return text;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) noexcept {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<float> parse_float(std::string_view text) noexcept {
  return parse_number<float>(text);
}

std::optional<double> parse_double(std::string_view text) noexcept {
  return parse_number<double>(text);
}

std::pair<std::string, std::string> split_after_extension(
    const std::string& path, const std::function<bool(std::string_view)>& is_known) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return {path, ""};
  for (std::size_t colon = path.find(':'); colon != std::string::npos; colon = path.find(':', colon + 1))
    if (is_known(extension_of(path.substr(0, colon)))) return {path.substr(0, colon), path.substr(colon + 1)};
  return {path, ""};
}

}  // namespace pith
