#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "report/pca.h"

namespace pith {

/// The square that some places lie in: its lower corner, and its side, which is never 0.
struct Extent {
  Point low;
  float side = 0;

  explicit Extent(std::span<const Point> places) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    low = {infinity, infinity};
    Point high{-infinity, -infinity};
    for (const Point& place : places) {
      low = {std::min(low.x, place.x), std::min(low.y, place.y)};
      high = {std::max(high.x, place.x), std::max(high.y, place.y)};
    }
    side = std::max({high.x - low.x, high.y - low.y, 1e-30F});
  }
};

/// Places as 16-bit numbers, the same scale along both axes, y upwards. What is no number (embeddings whose
/// squares no float holds) is 0.
struct GridPlaces {
  std::vector<std::uint16_t> xs;
  std::vector<std::uint16_t> ys;

  explicit GridPlaces(std::span<const Point> places) {
    const Extent extent(places);
    const auto on_grid = [&](float value, float low) {
      const float place = (value - low) / extent.side * 65535;
      return static_cast<std::uint16_t>(place > 0 ? std::min(place, 65535.0F) : 0.0F);
    };
    xs.reserve(places.size());
    ys.reserve(places.size());
    for (const Point& place : places) {
      xs.push_back(on_grid(place.x, extent.low.x));
      ys.push_back(on_grid(place.y, extent.low.y));
    }
  }
};

}  // namespace pith
