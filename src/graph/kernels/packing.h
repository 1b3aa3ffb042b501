#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/kernels/tile_kernel.h"

namespace pith {

/// Rows as words (floats, or pairs of bf16 with a zero behind an odd last one) in groups of `group` rows:
/// word w of row r of a group stands at (w * group + r). The last group is filled up with zero rows. O(count
/// * dimension).
void pack_in_groups(const float* rows, std::size_t count, std::size_t dimension, float factor, bool as_bf16,
                    std::size_t group, PackedPanel& out);

/// Words a row takes.
[[nodiscard]] constexpr std::size_t words_of(std::size_t dimension, bool as_bf16) noexcept {
  return as_bf16 ? (dimension + 1) / 2 : dimension;
}

/// Two floats as bf16, the first in the lower half.
void pair_up(const float* row, std::size_t dimension, float factor, std::uint32_t* out) noexcept;

}  // namespace pith
