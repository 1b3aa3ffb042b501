#pragma once

#include <cstdint>
#include <vector>

#include "graph/kernels/tile_kernel.h"
#include "graph/row_picker.h"

namespace pith {

/// Finds the nearest of some centres, by tiles of products.
class CentreIndex {
 public:
  CentreIndex(const TileKernel& kernel, std::size_t dimension) : kernel_(kernel), dimension_(dimension) {}

  void assign(const std::vector<float>& centres);

  struct Near {
    float distance;  ///< half the squared distance, less what all centres have in common
    std::uint32_t centre;
    friend bool operator<(const Near& a, const Near& b) noexcept {
      return a.distance != b.distance ? a.distance < b.distance : a.centre < b.centre;
    }
  };

  /// What a thread looks up rows on.
  struct Desk {
    PackedPanel left;
    TileSide left_side;
    KernelScratch kernel_scratch;
    std::vector<float> values;
    std::vector<Near> row;              ///< the nearest of one
    std::vector<Near> near;             ///< of all, row by row
    std::vector<std::uint32_t> counts;  ///< how many of `near` are each row's, by find_within
  };

  /// Bytes of a desk for so many centres.
  [[nodiscard]] static std::uint64_t desk_bytes(std::size_t centres, std::size_t dimension);

  /// Nearest `wanted` centres of each of `count` rows, nearest first, into desk.near. No more wanted than
  /// there are centres.
  void find(const float* rows, std::size_t count, std::size_t wanted, Desk& desk) const;

  /// The nearest centre of each row and, up to `most` in all, those farther by no more than `gap`, nearest
  /// first, into desk.near and desk.counts. A gap that is not a number is none: rows that compare with
  /// nothing have one centre.
  void find_within(const float* rows, std::size_t count, std::size_t most, float gap, Desk& desk) const;

 private:
  /// note(picker, values of all centres for a row, a floor under the `wanted` largest), row by row.
  template <class Note>
  void for_each_row(const float* rows, std::size_t count, std::size_t wanted, Desk& desk, Note note) const;

  const TileKernel& kernel_;
  std::size_t dimension_;
  PackedPanel packed_;
  TileSide offsets_;  ///< half the squared length of each
};

}  // namespace pith
