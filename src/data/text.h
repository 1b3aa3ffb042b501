#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace pith {

/// Bytes of the well-formed UTF-8 sequence that starts `text`, or 0 where there is none.
[[nodiscard]] std::size_t utf8_sequence_bytes(std::string_view text) noexcept;

/// `text` with control characters and malformed UTF-8 written as \xNN, so that it stays on one line.
[[nodiscard]] std::string printable(std::string_view text);

/// printable(text) between single quotes, cut to a length that suits an error message.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// "'a', 'b', 'c' and 4 more".
[[nodiscard]] std::string list_in_quotes(std::span<const std::string> texts);

[[nodiscard]] std::string lower_case(std::string_view text);

/// The extension of a path in lower case, dot included: ".npy"; empty if it has none.
[[nodiscard]] std::string extension_of(std::string_view path);

/// `text` without the blanks at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

/// `text` without a leading UTF-8 byte order mark.
[[nodiscard]] std::string_view without_bom(std::string_view text) noexcept;

/// A decimal whole number that is all of `text`: digits only, no sign, within 64 bits.
[[nodiscard]] std::optional<std::uint64_t> parse_unsigned(std::string_view text) noexcept;

/// Whether its first character is a control character: of ASCII, or U+0080 to U+009F.
[[nodiscard]] bool starts_with_control(std::string_view text) noexcept;

/// A decimal number that is all of `text`; "nan" and "inf" count as numbers. Beyond float range: an infinity.
[[nodiscard]] std::optional<float> parse_float(std::string_view text) noexcept;
/// The same, beyond double range.
[[nodiscard]] std::optional<double> parse_double(std::string_view text) noexcept;

/// `path` cut at the first colon that follows an extension (lower case, dot included) which `is_known`: a
/// file, and what is meant in it. A file that exists under the whole of `path` is meant as it stands.
[[nodiscard]] std::pair<std::string, std::string> split_after_extension(
    const std::string& path, const std::function<bool(std::string_view)>& is_known);

}  // namespace pith
