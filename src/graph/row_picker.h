#pragma once

#include <cstdint>
#include <vector>

#include "graph/kernels/tile_kernel.h"

namespace pith {

/// Finds the largest of a row of values without looking at most of them twice. Columns are dealt to lanes;
/// the `wanted` largest lane maxima are values of as many columns, so the least of them is a floor under the
/// `wanted`-th largest value, and with several times as many lanes as wanted values hardly anything else lies
/// above.
class RowPicker {
 public:
  explicit RowPicker(std::size_t wanted);

  /// Rows must be a multiple of this long.
  [[nodiscard]] std::size_t lanes() const noexcept { return maxima_.size(); }

  /// Room for the values of so many columns that neither tiles nor this need edges.
  [[nodiscard]] std::size_t room_for(std::size_t columns) const noexcept {
    return (TileSide::padded(columns) + lanes() - 1) / lanes() * lanes();
  }
  /// From one row to the next: a line of the cache more, lest the rows of a tile, often a power of two apart,
  /// get in each other's way there.
  [[nodiscard]] static std::size_t stride_for(std::size_t room) noexcept { return room + 16; }

  /// Looks at a row. Gives a value that at least `wanted` of the columns reach, or minus infinity where there
  /// are no more than so many above minus infinity.
  float look(const float* values, std::size_t columns);

  /// Calls take(column) for every column of the row last looked at whose value is above minus infinity and at
  /// least `bar`.
  template <class Take>
  void for_each_from(float bar, Take take) const {
    for (std::size_t lane = 0; lane < maxima_.size(); ++lane) {
      if (!(maxima_[lane] >= bar)) continue;
      for (std::size_t c = lane; c < columns_; c += maxima_.size())
        if (values_[c] >= bar && values_[c] > lowest) take(c);
    }
  }

 private:
  static constexpr float lowest = -__builtin_inff();

  std::size_t wanted_;
  std::vector<float> maxima_;
  std::vector<std::int32_t> keys_;
  const float* values_ = nullptr;
  std::size_t columns_ = 0;
};

}  // namespace pith
