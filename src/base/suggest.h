#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pith {

/// The candidate nearest to `word` by edit distance, if near enough to be a slip of the finger; else empty.
[[nodiscard]] std::string nearest_word(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace pith
