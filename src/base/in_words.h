#pragma once

#include <cstdint>
#include <string>

namespace pith {

/// "73 MB", "1.25 GB".
[[nodiscard]] std::string bytes_in_words(std::uint64_t bytes);

/// "about 12 s", "about 4 minutes".
[[nodiscard]] std::string seconds_in_words(double seconds);

}  // namespace pith
