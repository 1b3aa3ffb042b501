#pragma once

#include <cstddef>
#include <cstdint>

namespace pith {

struct Hit {
  std::uint32_t column;
  float value;
};

/// Finds the columns where (products[c] - offset) - offsets[c] reaches `bar` or bars[c], ascending, into
/// `hits` (room for `count`); gives their number.
std::size_t find_hits(const float* products, const float* offsets, const float* bars, std::size_t count,
                      float offset, float bar, Hit* hits) noexcept;

}  // namespace pith
