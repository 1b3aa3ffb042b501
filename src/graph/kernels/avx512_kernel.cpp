#include "graph/kernels/group_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>

// g++ 12 takes the "undefined" operand inside its own intrinsics for a mistake.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace pith {
namespace {

constexpr std::size_t rows = group_rows;
static_assert(rows == 8 && group_columns == 32);

/// Compares 8 x 32 sums with their bars; appends what passes.
[[gnu::target("avx512f"), gnu::always_inline]] inline void take_hits(const __m512 (&low)[rows],
                                                                     const __m512 (&high)[rows],
                                                                     const GroupPair& at,
                                                                     std::vector<TileHit>& hits) {
  const __m512 low_offsets = _mm512_loadu_ps(at.right_offsets);
  const __m512 high_offsets = _mm512_loadu_ps(at.right_offsets + 16);
  const __m512 low_bars = _mm512_loadu_ps(at.right_bars);
  const __m512 high_bars = _mm512_loadu_ps(at.right_bars + 16);
  std::uint32_t masks[rows];
  std::uint32_t any = 0;
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) {
    const __m512 offset = _mm512_set1_ps(at.left_offsets[r]);
    const __m512 bar = _mm512_set1_ps(at.left_bars[r]);
    const __m512 first = _mm512_sub_ps(_mm512_sub_ps(low[r], offset), low_offsets);
    const __m512 second = _mm512_sub_ps(_mm512_sub_ps(high[r], offset), high_offsets);
    const std::uint32_t first_mask = _mm512_cmp_ps_mask(first, _mm512_min_ps(bar, low_bars), _CMP_GE_OQ);
    const std::uint32_t second_mask = _mm512_cmp_ps_mask(second, _mm512_min_ps(bar, high_bars), _CMP_GE_OQ);
    masks[r] = first_mask | (second_mask << 16);
    any |= masks[r];
  }
  if (any == 0) return;
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) {
    std::uint32_t mask = r < at.rows ? masks[r] & at.valid_columns : 0;
    if (mask == 0) continue;
    const __m512 offset = _mm512_set1_ps(at.left_offsets[r]);
    alignas(64) float values[group_columns];
    _mm512_store_ps(values, _mm512_sub_ps(_mm512_sub_ps(low[r], offset), low_offsets));
    _mm512_store_ps(values + 16, _mm512_sub_ps(_mm512_sub_ps(high[r], offset), high_offsets));
    for (; mask != 0; mask &= mask - 1) {
      const auto c = static_cast<std::uint32_t>(std::countr_zero(mask));
      hits.push_back({at.first_row + static_cast<std::uint32_t>(r), at.first_column + c, values[c]});
    }
  }
}

/// Writes 8 x 32 values.
[[gnu::target("avx512f"), gnu::always_inline]] inline void put_values(const __m512 (&low)[rows],
                                                                      const __m512 (&high)[rows],
                                                                      const GroupPair& at, float* out,
                                                                      std::size_t stride) {
  const __m512 low_offsets = _mm512_loadu_ps(at.right_offsets);
  const __m512 high_offsets = _mm512_loadu_ps(at.right_offsets + 16);
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) {
    const __m512 offset = _mm512_set1_ps(at.left_offsets[r]);
    _mm512_storeu_ps(out + r * stride, _mm512_sub_ps(_mm512_sub_ps(low[r], offset), low_offsets));
    _mm512_storeu_ps(out + r * stride + 16, _mm512_sub_ps(_mm512_sub_ps(high[r], offset), high_offsets));
  }
}

[[gnu::target("avx512f"), gnu::always_inline]] inline void multiply_floats(const std::uint32_t* left,
                                                                           const std::uint32_t* right,
                                                                           std::size_t words,
                                                                           __m512 (&low)[rows],
                                                                           __m512 (&high)[rows]) {
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) low[r] = high[r] = _mm512_setzero_ps();
  for (std::size_t w = 0; w < words; ++w, left += rows, right += group_columns) {
    const __m512 first = _mm512_load_ps(right);
    const __m512 second = _mm512_load_ps(right + 16);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r) {
      const __m512 x = _mm512_castsi512_ps(_mm512_set1_epi32(static_cast<int>(left[r])));
      low[r] = _mm512_fmadd_ps(x, first, low[r]);
      high[r] = _mm512_fmadd_ps(x, second, high[r]);
    }
  }
}

[[gnu::target("avx512f,avx512bf16"), gnu::always_inline]] inline void multiply_bf16(
    const std::uint32_t* left, const std::uint32_t* right, std::size_t words, __m512 (&low)[rows],
    __m512 (&high)[rows]) {
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) low[r] = high[r] = _mm512_setzero_ps();
  for (std::size_t w = 0; w < words; ++w, left += rows, right += group_columns) {
    const auto first = (__m512bh)_mm512_load_si512(right);
    const auto second = (__m512bh)_mm512_load_si512(right + 16);
#pragma GCC unroll 8
    for (std::size_t r = 0; r < rows; ++r) {
      const auto x = (__m512bh)_mm512_set1_epi32(static_cast<int>(left[r]));
      low[r] = _mm512_dpbf16_ps(low[r], x, first);
      high[r] = _mm512_dpbf16_ps(high[r], x, second);
    }
  }
}

[[gnu::target("avx512f")]] void meet_floats(const std::uint32_t* left, const std::uint32_t* right,
                                            std::size_t words, const GroupPair& at,
                                            std::vector<TileHit>& hits) {
  __m512 low[rows];
  __m512 high[rows];
  multiply_floats(left, right, words, low, high);
  take_hits(low, high, at, hits);
}

[[gnu::target("avx512f")]] void write_floats(const std::uint32_t* left, const std::uint32_t* right,
                                             std::size_t words, const GroupPair& at, float* out,
                                             std::size_t stride) {
  __m512 low[rows];
  __m512 high[rows];
  multiply_floats(left, right, words, low, high);
  put_values(low, high, at, out, stride);
}

[[gnu::target("avx512f,avx512bf16")]] void meet_bf16(const std::uint32_t* left, const std::uint32_t* right,
                                                     std::size_t words, const GroupPair& at,
                                                     std::vector<TileHit>& hits) {
  __m512 low[rows];
  __m512 high[rows];
  multiply_bf16(left, right, words, low, high);
  take_hits(low, high, at, hits);
}

[[gnu::target("avx512f,avx512bf16")]] void write_bf16(const std::uint32_t* left, const std::uint32_t* right,
                                                      std::size_t words, const GroupPair& at, float* out,
                                                      std::size_t stride) {
  __m512 low[rows];
  __m512 high[rows];
  multiply_bf16(left, right, words, low, high);
  put_values(low, high, at, out, stride);
}

}  // namespace

[[gnu::target("avx512f")]] void take_sums_avx512(const float* sums, std::size_t stride, const GroupPair& at,
                                                 std::vector<TileHit>& hits) {
  __m512 low[rows];
  __m512 high[rows];
#pragma GCC unroll 8
  for (std::size_t r = 0; r < rows; ++r) {
    low[r] = _mm512_loadu_ps(sums + r * stride);
    high[r] = _mm512_loadu_ps(sums + r * stride + 16);
  }
  take_hits(low, high, at, hits);
}

const TileKernel& avx512_kernel() {
  static const GroupKernel kernel("avx512", false, meet_floats, write_floats);
  return kernel;
}

const TileKernel& avx512bf16_kernel() {
  static const GroupKernel kernel("avx512bf16", true, meet_bf16, write_bf16);
  return kernel;
}

}  // namespace pith

#endif
