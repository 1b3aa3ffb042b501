#pragma once

#include "graph/kernels/tile_kernel.h"

namespace pith {

inline constexpr std::size_t group_rows = 8;
inline constexpr std::size_t group_columns = 32;

/// One group of left rows and one of right rows.
struct GroupPair {
  const float* left_offsets;
  const float* left_bars;
  const float* right_offsets;
  const float* right_bars;
  std::uint32_t first_row;
  std::uint32_t first_column;
  std::size_t rows;             ///< real ones from here on; what lies beyond is filling
  std::uint32_t valid_columns;  ///< a bit for each real one
};

/// The group pair at (row, column) of a tile whose sides have bars.
[[nodiscard]] inline GroupPair group_pair_at(std::size_t row, std::size_t column, std::size_t rows,
                                             std::size_t columns, const TileSide& left_side,
                                             const TileSide& right_side) noexcept {
  const std::size_t width = columns - column;
  return {.left_offsets = left_side.offsets.data() + row,
          .left_bars = left_side.bars.data() + row,
          .right_offsets = right_side.offsets.data() + column,
          .right_bars = right_side.bars.data() + column,
          .first_row = static_cast<std::uint32_t>(row),
          .first_column = static_cast<std::uint32_t>(column),
          .rows = rows - row,
          .valid_columns = width >= group_columns ? ~0U : (1U << width) - 1};
}

/// Multiplies 8 x 32 rows held in registers and appends the hits among them.
using MeetGroups = void (*)(const std::uint32_t* left, const std::uint32_t* right, std::size_t words,
                            const GroupPair& at, std::vector<TileHit>& hits);

/// Multiplies 8 x 32 rows and writes all their values, rows `stride` apart.
using WriteGroups = void (*)(const std::uint32_t* left, const std::uint32_t* right, std::size_t words,
                             const GroupPair& at, float* out, std::size_t stride);

/// What the vector kernels share: rows packed in groups, tiles walked group by group.
class GroupKernel final : public TileKernel {
 public:
  GroupKernel(std::string_view name, bool as_bf16, MeetGroups meet, WriteGroups write)
      : name_(name), as_bf16_(as_bf16), meet_(meet), write_(write) {}

  [[nodiscard]] std::string_view name() const noexcept override { return name_; }
  [[nodiscard]] bool rounds_rows() const noexcept override { return as_bf16_; }
  void pack_left(const float* rows, std::size_t count, std::size_t dimension, float factor,
                 PackedPanel& out) const override;
  void pack_right(const float* rows, std::size_t count, std::size_t dimension,
                  PackedPanel& out) const override;
  void find_hits(const PackedPanel& left, const PackedPanel& right, const TileSide& left_side,
                 const TileSide& right_side, std::vector<TileHit>& hits,
                 KernelScratch& scratch) const override;
  void write_values(const PackedPanel& left, const PackedPanel& right, const TileSide& left_side,
                    const TileSide& right_side, float* out, std::size_t stride,
                    KernelScratch& scratch) const override;

 private:
  std::string_view name_;
  bool as_bf16_;
  MeetGroups meet_;
  WriteGroups write_;
};

/// Appends the hits among 8 x 32 finished sums, their rows `stride` apart.
void take_sums_avx512(const float* sums, std::size_t stride, const GroupPair& at, std::vector<TileHit>& hits);

[[nodiscard]] bool has_avx512();

// Only on machines that have what their names say.
[[nodiscard]] const TileKernel& avx2_kernel();
[[nodiscard]] const TileKernel& avx512_kernel();
[[nodiscard]] const TileKernel& avx512bf16_kernel();

}  // namespace pith
