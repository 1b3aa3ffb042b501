#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/kernels/tile_kernel.h"

namespace pith {

/// Finds the largest of a row of values without looking at most of them twice. Columns are dealt to lanes;
/// the `wanted` largest lane maxima are values of as many columns, so the least of them is a floor under the
/// `wanted`-th largest value, and with several times as many lanes as wanted values hardly anything else lies
/// above.
class RowPicker {
 public:
  /// `plain`: without instructions of this very machine, for tests to compare with.
  explicit RowPicker(std::size_t wanted, bool plain = false);

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

  /// The columns of the row last looked at whose value is above minus infinity and at least `bar`, until the
  /// next call.
  [[nodiscard]] std::span<const std::uint32_t> columns_from(float bar);

 private:
  static constexpr float lowest = -__builtin_inff();

  std::size_t wanted_;
  bool wide_;  ///< by AVX-512
  std::vector<float> maxima_;
  std::vector<std::int32_t> keys_;
  std::vector<std::uint32_t> found_;
  const float* values_ = nullptr;
  std::size_t columns_ = 0;
};

}  // namespace pith
