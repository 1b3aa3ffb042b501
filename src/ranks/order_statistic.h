#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "ranks/communicator.h"

namespace pith {

/// The value with `place` smaller or equal ones before it, among the values of all ranks: what would stand at
/// `place` if all were sorted. `sorted`: this rank's, ascending, none negative. Finds the bit pattern byte by
/// byte, from the highest, since for such numbers patterns ascend with values: a sum across the ranks a byte.
template <class Float>
[[nodiscard]] Float order_statistic(Communicator& ranks, const std::vector<Float>& sorted,
                                    std::uint64_t place) {
  using Pattern = std::conditional_t<sizeof(Float) == 4, std::uint32_t, std::uint64_t>;
  // -0 equals 0 but has the pattern of a negative number.
  const auto pattern_of = [](Float value) { return std::bit_cast<Pattern>(value + Float{0}); };
  Pattern known = 0;
  for (int shift = 8 * (static_cast<int>(sizeof(Float)) - 1); shift >= 0; shift -= 8) {
    std::array<std::uint64_t, 256> counts{};
    auto from = std::lower_bound(sorted.begin(), sorted.end(), known,
                                 [&](Float value, Pattern bound) { return pattern_of(value) < bound; });
    for (std::size_t byte = 0; byte < counts.size(); ++byte) {
      const Pattern last = known | (static_cast<Pattern>(byte) << shift) | ((Pattern{1} << shift) - 1);
      const auto to = std::upper_bound(from, sorted.end(), last,
                                       [&](Pattern bound, Float value) { return bound < pattern_of(value); });
      counts[byte] = static_cast<std::uint64_t>(to - from);
      from = to;
    }
    ranks.sum(counts);
    std::size_t byte = 0;
    while (place >= counts[byte]) place -= counts[byte++];
    known |= static_cast<Pattern>(byte) << shift;
  }
  return std::bit_cast<Float>(known);
}

}  // namespace pith
