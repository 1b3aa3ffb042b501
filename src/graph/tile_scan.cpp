#include "graph/tile_scan.h"

#include <algorithm>

#include "base/clones.h"

namespace pith {
namespace {

constexpr std::size_t stretch = 64;  ///< columns looked at together; most stretches hold no hit

PITH_CLONES std::size_t find_hits_impl(const float* products, const float* offsets, const float* bars,
                                       std::size_t count, float offset, float bar, Hit* hits) noexcept {
  std::size_t found = 0;
  const auto look = [&](std::size_t c) {
    const float value = (products[c] - offset) - offsets[c];
    hits[found] = {static_cast<std::uint32_t>(c), value};
    found += static_cast<std::size_t>(value >= std::min(bar, bars[c]));
  };
  std::size_t begin = 0;
  for (; begin + stretch <= count; begin += stretch) {
    std::uint32_t any = 0;
    for (std::size_t c = begin; c < begin + stretch; ++c) {
      const float value = (products[c] - offset) - offsets[c];
      const float least = bars[c] < bar ? bars[c] : bar;
      any |= static_cast<std::uint32_t>(value >= least);
    }
    if (any == 0) continue;
    for (std::size_t c = begin; c < begin + stretch; ++c) look(c);
  }
  for (std::size_t c = begin; c < count; ++c) look(c);
  return found;
}

}  // namespace

std::size_t find_hits(const float* products, const float* offsets, const float* bars, std::size_t count,
                      float offset, float bar, Hit* hits) noexcept {
  return find_hits_impl(products, offsets, bars, count, offset, bar, hits);
}

}  // namespace pith
