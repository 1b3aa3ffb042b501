#include "graph/kernels/group_kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <bit>

namespace pith {
namespace {

constexpr std::size_t rows = 4;  ///< of a quarter: 4 x 16 sums in 8 registers
constexpr std::size_t columns = 16;

[[gnu::target("avx2,fma"), gnu::always_inline]] inline std::uint32_t passing(__m256 value, __m256 left_bar,
                                                                             const float* right_bars) {
  const __m256 bar = _mm256_min_ps(left_bar, _mm256_loadu_ps(right_bars));
  return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(value, bar, _CMP_GE_OQ)));
}

[[gnu::target("avx2,fma"), gnu::always_inline]] inline void multiply_quarter(const std::uint32_t* left,
                                                                             const std::uint32_t* right,
                                                                             std::size_t words,
                                                                             __m256 (&low)[rows],
                                                                             __m256 (&high)[rows]) {
#pragma GCC unroll 4
  for (std::size_t r = 0; r < rows; ++r) low[r] = high[r] = _mm256_setzero_ps();
  const auto* y = reinterpret_cast<const float*>(right);
  for (std::size_t w = 0; w < words; ++w, left += group_rows, y += group_columns) {
    const __m256 first = _mm256_load_ps(y);
    const __m256 second = _mm256_load_ps(y + 8);
#pragma GCC unroll 4
    for (std::size_t r = 0; r < rows; ++r) {
      const __m256 factor = _mm256_castsi256_ps(_mm256_set1_epi32(static_cast<int>(left[r])));
      low[r] = _mm256_fmadd_ps(factor, first, low[r]);
      high[r] = _mm256_fmadd_ps(factor, second, high[r]);
    }
  }
}

/// Rows `r0`.. and columns `c0`.. of a group.
[[gnu::target("avx2,fma")]] void meet_quarter(const std::uint32_t* left, const std::uint32_t* right,
                                              std::size_t words, const GroupPair& at, std::size_t r0,
                                              std::size_t c0, std::vector<TileHit>& hits) {
  __m256 low[rows];
  __m256 high[rows];
  multiply_quarter(left + r0, right + c0, words, low, high);
  const __m256 low_offsets = _mm256_loadu_ps(at.right_offsets + c0);
  const __m256 high_offsets = _mm256_loadu_ps(at.right_offsets + c0 + 8);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < rows; ++r) {
    const __m256 offset = _mm256_set1_ps(at.left_offsets[r0 + r]);
    const __m256 bar = _mm256_set1_ps(at.left_bars[r0 + r]);
    const __m256 first = _mm256_sub_ps(_mm256_sub_ps(low[r], offset), low_offsets);
    const __m256 second = _mm256_sub_ps(_mm256_sub_ps(high[r], offset), high_offsets);
    std::uint32_t mask =
        passing(first, bar, at.right_bars + c0) | (passing(second, bar, at.right_bars + c0 + 8) << 8);
    if (mask == 0 || r0 + r >= at.rows) continue;
    mask &= at.valid_columns >> c0;
    alignas(32) float values[columns];
    _mm256_store_ps(values, first);
    _mm256_store_ps(values + 8, second);
    for (; mask != 0; mask &= mask - 1) {
      const auto c = static_cast<std::uint32_t>(std::countr_zero(mask));
      hits.push_back({at.first_row + static_cast<std::uint32_t>(r0 + r),
                      at.first_column + static_cast<std::uint32_t>(c0) + c, values[c]});
    }
  }
}

[[gnu::target("avx2,fma")]] void write_quarter(const std::uint32_t* left, const std::uint32_t* right,
                                               std::size_t words, const GroupPair& at, std::size_t r0,
                                               std::size_t c0, float* out, std::size_t stride) {
  __m256 low[rows];
  __m256 high[rows];
  multiply_quarter(left + r0, right + c0, words, low, high);
  const __m256 low_offsets = _mm256_loadu_ps(at.right_offsets + c0);
  const __m256 high_offsets = _mm256_loadu_ps(at.right_offsets + c0 + 8);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < rows; ++r) {
    const __m256 offset = _mm256_set1_ps(at.left_offsets[r0 + r]);
    float* const to = out + (r0 + r) * stride + c0;
    _mm256_storeu_ps(to, _mm256_sub_ps(_mm256_sub_ps(low[r], offset), low_offsets));
    _mm256_storeu_ps(to + 8, _mm256_sub_ps(_mm256_sub_ps(high[r], offset), high_offsets));
  }
}

void write(const std::uint32_t* left, const std::uint32_t* right, std::size_t words, const GroupPair& at,
           float* out, std::size_t stride) {
  for (std::size_t c = 0; c < group_columns; c += columns)
    for (std::size_t r = 0; r < group_rows; r += rows)
      write_quarter(left, right, words, at, r, c, out, stride);
}

void meet(const std::uint32_t* left, const std::uint32_t* right, std::size_t words, const GroupPair& at,
          std::vector<TileHit>& hits) {
  for (std::size_t c = 0; c < group_columns; c += columns)
    for (std::size_t r = 0; r < group_rows; r += rows) meet_quarter(left, right, words, at, r, c, hits);
}

}  // namespace

const TileKernel& avx2_kernel() {
  static const GroupKernel kernel("avx2", false, meet, write);
  return kernel;
}

}  // namespace pith

#endif
