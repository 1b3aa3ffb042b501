#include "graph/kernels/group_kernel.h"

#include "graph/kernels/packing.h"

namespace pith {

void GroupKernel::pack_left(const float* rows, std::size_t count, std::size_t dimension, float factor,
                            PackedPanel& out) const {
  pack_in_groups(rows, count, dimension, factor, as_bf16_, group_rows, out);
}

void GroupKernel::pack_right(const float* rows, std::size_t count, std::size_t dimension,
                             PackedPanel& out) const {
  pack_in_groups(rows, count, dimension, 1.0F, as_bf16_, group_columns, out);
}

void GroupKernel::find_hits(const PackedPanel& left, const PackedPanel& right, const TileSide& left_side,
                            const TileSide& right_side, std::vector<TileHit>& hits,
                            KernelScratch& /*scratch*/) const {
  const std::size_t words = words_of(left.dimension, as_bf16_);
  for (std::size_t c = 0; c < right.count; c += group_columns)
    for (std::size_t r = 0; r < left.count; r += group_rows)
      meet_(left.words.data() + r * words, right.words.data() + c * words, words,
            group_pair_at(r, c, left.count, right.count, left_side, right_side), hits);
}

void GroupKernel::write_values(const PackedPanel& left, const PackedPanel& right, const TileSide& left_side,
                               const TileSide& right_side, float* out, std::size_t stride,
                               KernelScratch& /*scratch*/) const {
  const std::size_t words = words_of(left.dimension, as_bf16_);
  for (std::size_t c = 0; c < right.count; c += group_columns)
    for (std::size_t r = 0; r < left.count; r += group_rows)
      write_(left.words.data() + r * words, right.words.data() + c * words, words,
             group_pair_at(r, c, left.count, right.count, left_side, right_side), out + r * stride + c,
             stride);
}

}  // namespace pith
