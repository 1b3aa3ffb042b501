#include "base/in_words.h"

#include <fmt/format.h>

namespace pith {

std::string bytes_in_words(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value >= 10e9) return fmt::format("{:.1f} GB", value / 1e9);
  if (value >= 1e9) return fmt::format("{:.2f} GB", value / 1e9);
  return fmt::format("{} MB", (bytes + 999'999) / 1'000'000);
}

std::string seconds_in_words(double seconds) {
  if (seconds < 1) return "less than a second";
  if (seconds < 100) return fmt::format("about {:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("about {:.0f} minutes", seconds / 60);
  return fmt::format("about {:.0f} hours", seconds / 3600);
}

}  // namespace pith
