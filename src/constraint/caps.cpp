#include "constraint/caps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pith {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::int64_t narrowed(Wide value) noexcept {
  return value > largest ? largest : static_cast<std::int64_t>(value);
}

}  // namespace

std::int64_t ceil_of_share(std::int64_t a, std::int64_t b, std::int64_t c) noexcept {
  return narrowed((static_cast<Wide>(a) * b + c - 1) / c);
}

std::int64_t floor_of_share(std::int64_t a, std::int64_t b, std::int64_t c) noexcept {
  return narrowed(static_cast<Wide>(a) * b / c);
}

std::int64_t water_level(std::span<const std::int64_t> sizes, std::int64_t total) noexcept {
  const auto filled = [&](std::int64_t level) {
    std::int64_t sum = 0;
    for (const std::int64_t size : sizes) sum += std::min(size, level);
    return sum;
  };
  std::int64_t high = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  const std::int64_t wanted = std::min(total, filled(high));
  std::int64_t low = 0;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (filled(middle) >= wanted) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

std::int64_t slack_times(double slack, std::int64_t level) noexcept {
  const double product = slack * static_cast<double>(level);
  constexpr double most = 0x1p62;
  if (!(product < most)) return std::int64_t{1} << 62U;
  const double nearest = std::nearbyint(product);
  const double tolerance = 4 * std::numeric_limits<double>::epsilon() * product;
  return static_cast<std::int64_t>(std::abs(product - nearest) <= tolerance ? nearest : std::ceil(product));
}

}  // namespace pith
