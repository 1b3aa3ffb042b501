#pragma once

#include <cstddef>

#include "graph/kernels/tile_kernel.h"

namespace pith {

/// Words of `count` rows laid out for l1_scores(): column by column, rows side by side, filled up with zeros.
[[nodiscard]] std::size_t l1_words(std::size_t count, std::size_t dimension) noexcept;
void lay_out_for_l1(const float* rows, std::size_t count, std::size_t dimension, float* out);

/// scores[r * columns + c] = -shrink * sum_d |left[r][d] - right[c][d]|; `left` is row-major, `right` laid
/// out.
void l1_scores(const float* left, std::size_t rows, const float* right, std::size_t columns,
               std::size_t dimension, float shrink, float* scores);

/// Upper bound of the relative error of a sum of `dimension` terms of one sign, or of a product of two rows
/// relative to the product of their lengths, with some terms to spare for the roundings around it. Any order
/// of summation.
[[nodiscard]] double sum_error(std::size_t dimension, double unit = 0x1p-24) noexcept;

/// Sums of differences: the kernel of the L1 metric on every machine.
[[nodiscard]] const TileKernel& l1_kernel();

}  // namespace pith
