#include "graph/kernels/packing.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/clones.h"

namespace pith {
namespace {

PITH_CLONES void scaled_bits(const float* row, std::size_t dimension, float factor,
                             std::uint32_t* out) noexcept {
  for (std::size_t d = 0; d < dimension; ++d) out[d] = std::bit_cast<std::uint32_t>(row[d] * factor);
}

PITH_CLONES void pair_up_all(const float* row, std::size_t pairs, float factor, std::uint32_t* out) noexcept {
  for (std::size_t w = 0; w < pairs; ++w) {
    const std::uint32_t low = round_to_bf16(std::bit_cast<std::uint32_t>(row[2 * w] * factor));
    const std::uint32_t high = round_to_bf16(std::bit_cast<std::uint32_t>(row[2 * w + 1] * factor));
    out[w] = (low >> 16) | high;
  }
}

constexpr std::size_t side = 16;

/// A square of words turned over: 16 rows of `from`, `from_stride` apart, become 16 columns.
PITH_CLONES void turn_square(const std::uint32_t* from, std::size_t from_stride, std::uint32_t* to,
                             std::size_t to_stride) noexcept {
  for (std::size_t w = 0; w < side; ++w)
    for (std::size_t r = 0; r < side; ++r) to[w * to_stride + r] = from[r * from_stride + w];
}

void turn_rest(const std::uint32_t* from, std::size_t from_stride, std::size_t rows, std::size_t words,
               std::uint32_t* to, std::size_t to_stride) noexcept {
  for (std::size_t w = 0; w < words; ++w)
    for (std::size_t r = 0; r < rows; ++r) to[w * to_stride + r] = from[r * from_stride + w];
}

}  // namespace

void pair_up(const float* row, std::size_t dimension, float factor, std::uint32_t* out) noexcept {
  pair_up_all(row, dimension / 2, factor, out);
  if (dimension % 2 != 0)
    out[dimension / 2] = round_to_bf16(std::bit_cast<std::uint32_t>(row[dimension - 1] * factor)) >> 16;
}

void pack_in_groups(const float* rows, std::size_t count, std::size_t dimension, float factor, bool as_bf16,
                    std::size_t group, PackedPanel& out) {
  const std::size_t words = words_of(dimension, as_bf16);
  const std::size_t groups = (count + group - 1) / group;
  out.count = count;
  out.dimension = dimension;
  out.words.resize(groups * group * words);
  thread_local std::vector<std::uint32_t> lines;
  lines.resize(group * words);
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t here = std::min(group, count - g * group);
    for (std::size_t r = 0; r < here; ++r) {
      const float* row = rows + (g * group + r) * dimension;
      if (as_bf16) {
        pair_up(row, dimension, factor, lines.data() + r * words);
      } else {
        scaled_bits(row, dimension, factor, lines.data() + r * words);
      }
    }
    std::fill(lines.begin() + static_cast<std::ptrdiff_t>(here * words), lines.end(), 0U);
    std::uint32_t* const to = out.words.data() + g * group * words;
    const std::size_t square_words = words / side * side;
    const std::size_t square_rows = group / side * side;
    for (std::size_t r = 0; r < square_rows; r += side)
      for (std::size_t w = 0; w < square_words; w += side)
        turn_square(lines.data() + r * words + w, words, to + w * group + r, group);
    turn_rest(lines.data() + square_rows * words, words, group - square_rows, square_words, to + square_rows,
              group);
    turn_rest(lines.data() + square_words, words, group, words - square_words, to + square_words * group,
              group);
  }
}

}  // namespace pith
