#pragma once

#include <limits>

#include "pith/matrix.h"

namespace pith {

/// The greedy's total order: the larger gain first, then the lower index.
struct PickKey {
  double gain = -std::numeric_limits<double>::infinity();
  Item item = std::numeric_limits<Item>::max();

  /// After every key an item can have.
  static constexpr PickKey last() noexcept { return {}; }
  /// Before every key an item can have.
  static constexpr PickKey first() noexcept { return {std::numeric_limits<double>::infinity(), 0}; }

  [[nodiscard]] bool before(const PickKey& other) const noexcept {
    return gain > other.gain || (gain == other.gain && item < other.item);
  }
  friend bool operator==(const PickKey&, const PickKey&) = default;
};

}  // namespace pith
