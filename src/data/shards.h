#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pith {

/// Whether a path stands for several files: it has one of * ? [ and no file goes by that very name.
[[nodiscard]] bool is_pattern(const std::string& path);

/// The files a pattern matches, as the shell would (* ? [...]; hidden files only where the pattern names the
/// dot), in natural order. Throws Error{io} where there are none.
[[nodiscard]] std::vector<std::string> find_shards(const std::string& pattern);

/// Natural order: runs of digits compare as numbers, so that part-2 comes before part-10; everything else
/// byte by byte. Names that differ in leading zeros alone compare byte by byte.
[[nodiscard]] bool comes_before(std::string_view a, std::string_view b) noexcept;

}  // namespace pith
