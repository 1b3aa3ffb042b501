#pragma once

#include <algorithm>
#include <cstddef>

#include "pith/matrix.h"

namespace pith {

/// Which rank owns which items: consecutive rows, as evenly as can be.
class RowBlocks {
 public:
  RowBlocks(std::size_t items, int ranks) : items_(items), ranks_(static_cast<std::size_t>(ranks)) {}

  [[nodiscard]] std::size_t items() const noexcept { return items_; }
  [[nodiscard]] std::size_t begin(int rank) const noexcept {
    const auto r = static_cast<std::size_t>(rank);
    return items_ / ranks_ * r + std::min(items_ % ranks_, r);
  }
  [[nodiscard]] std::size_t end(int rank) const noexcept { return begin(rank + 1); }
  [[nodiscard]] std::size_t count(int rank) const noexcept { return end(rank) - begin(rank); }
  [[nodiscard]] int owner(Item item) const noexcept {
    const std::size_t each = items_ / ranks_;
    const std::size_t larger = (each + 1) * (items_ % ranks_);  // in blocks of one row more
    return static_cast<int>(item < larger ? item / (each + 1) : items_ % ranks_ + (item - larger) / each);
  }

 private:
  std::size_t items_;
  std::size_t ranks_;
};

}  // namespace pith
