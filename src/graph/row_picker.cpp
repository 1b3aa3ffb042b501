#include "graph/row_picker.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/clones.h"
#include "graph/kernels/group_kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// g++ 12 takes the "undefined" operand inside its own intrinsics for a mistake.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace pith {
namespace {

constexpr std::size_t least_lanes = 64;
constexpr std::size_t wide_lanes = 64;
constexpr std::size_t lanes_each = 6;  ///< for each value wanted

PITH_CLONES void raise(float* maxima, const float* values, std::size_t lanes) noexcept {
  for (std::size_t l = 0; l < lanes; ++l) maxima[l] = values[l] > maxima[l] ? values[l] : maxima[l];
}

/// Whole numbers in the order of the floats: their maxima vectorise without leave to reorder.
PITH_CLONES void order_keys(const float* values, std::size_t count, std::int32_t* keys) noexcept {
  for (std::size_t l = 0; l < count; ++l) {
    const auto bits = std::bit_cast<std::int32_t>(values[l]);
    keys[l] = bits ^ ((bits >> 31) & 0x7fffffff);
  }
}

PITH_CLONES std::int32_t take_largest(std::int32_t* keys, std::size_t count) noexcept {
  std::int32_t most = std::numeric_limits<std::int32_t>::min();
  for (std::size_t l = 0; l < count; ++l) most = std::max(most, keys[l]);
  for (std::size_t l = 0; l < count; ++l)
    keys[l] = keys[l] == most ? std::numeric_limits<std::int32_t>::min() : keys[l];
  return most;
}

#if defined(__x86_64__)

/// The above in registers, for wide_lanes lanes: maxima into `maxima`, the floor returned.
__attribute__((target("avx512f"))) float look_wide(const float* values, std::size_t columns,
                                                   std::size_t wanted, float* maxima) noexcept {
  const __m512 nothing = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
  __m512 m0 = nothing;
  __m512 m1 = nothing;
  __m512 m2 = nothing;
  __m512 m3 = nothing;
  // The second operand stays where the first is not a number.
  for (std::size_t c = 0; c < columns; c += wide_lanes) {
    m0 = _mm512_max_ps(_mm512_loadu_ps(values + c), m0);
    m1 = _mm512_max_ps(_mm512_loadu_ps(values + c + 16), m1);
    m2 = _mm512_max_ps(_mm512_loadu_ps(values + c + 32), m2);
    m3 = _mm512_max_ps(_mm512_loadu_ps(values + c + 48), m3);
  }
  _mm512_storeu_ps(maxima, m0);
  _mm512_storeu_ps(maxima + 16, m1);
  _mm512_storeu_ps(maxima + 32, m2);
  _mm512_storeu_ps(maxima + 48, m3);
  float floor = -std::numeric_limits<float>::infinity();
  for (std::size_t at = 0; at < wanted; ++at) {
    floor = _mm512_reduce_max_ps(_mm512_max_ps(_mm512_max_ps(m0, m1), _mm512_max_ps(m2, m3)));
    const __m512 most = _mm512_set1_ps(floor);
    m0 = _mm512_mask_mov_ps(m0, _mm512_cmp_ps_mask(m0, most, _CMP_EQ_OQ), nothing);
    m1 = _mm512_mask_mov_ps(m1, _mm512_cmp_ps_mask(m1, most, _CMP_EQ_OQ), nothing);
    m2 = _mm512_mask_mov_ps(m2, _mm512_cmp_ps_mask(m2, most, _CMP_EQ_OQ), nothing);
    m3 = _mm512_mask_mov_ps(m3, _mm512_cmp_ps_mask(m3, most, _CMP_EQ_OQ), nothing);
  }
  return floor;
}

/// Without branches: which columns reach a bar cannot be guessed. Writes up to 16 beyond what it gives.
__attribute__((target("avx512f"))) std::size_t columns_from_wide(const float* values, std::size_t columns,
                                                                 float bar, std::uint32_t* out) noexcept {
  const __m512 least = _mm512_set1_ps(std::max(bar, std::numeric_limits<float>::lowest()));
  const __m512i step = _mm512_set1_epi32(16);
  __m512i column = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  std::size_t count = 0;
  for (std::size_t c = 0; c < columns; c += 16) {
    const __mmask16 hits = _mm512_cmp_ps_mask(_mm512_loadu_ps(values + c), least, _CMP_GE_OQ);
    _mm512_storeu_si512(out + count, _mm512_maskz_compress_epi32(hits, column));
    count += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(hits)));
    column = _mm512_add_epi32(column, step);
  }
  return count;
}

#else

float look_wide(const float*, std::size_t, std::size_t, float*) noexcept {
  return 0;
}
std::size_t columns_from_wide(const float*, std::size_t, float, std::uint32_t*) noexcept {
  return 0;
}

#endif

}  // namespace

RowPicker::RowPicker(std::size_t wanted, bool plain)
    : wanted_(wanted),
      maxima_((std::max(least_lanes, lanes_each * wanted) + least_lanes - 1) / least_lanes * least_lanes),
      keys_(maxima_.size()) {
  wide_ = !plain && lanes() == wide_lanes && has_avx512();
}

float RowPicker::look(const float* values, std::size_t columns) {
  values_ = values;
  columns_ = columns;
  if (wide_) return look_wide(values, columns, wanted_, maxima_.data());
  std::fill(maxima_.begin(), maxima_.end(), lowest);
  for (std::size_t c = 0; c < columns; c += lanes()) raise(maxima_.data(), values + c, lanes());
  order_keys(maxima_.data(), lanes(), keys_.data());
  // Equal keys go at once, which makes the floor lower, never higher.
  std::int32_t key = 0;
  for (std::size_t at = 0; at < wanted_; ++at) key = take_largest(keys_.data(), lanes());
  if (key == std::numeric_limits<std::int32_t>::min()) return lowest;
  return std::bit_cast<float>(key ^ ((key >> 31) & 0x7fffffff));
}

std::span<const std::uint32_t> RowPicker::columns_from(float bar) {
  constexpr std::size_t beyond = 16;
  if (found_.size() < columns_ + beyond) found_.resize(columns_ + beyond);
  std::size_t count = 0;
  if (wide_) {
    count = columns_from_wide(values_, columns_, bar, found_.data());
  } else {
    for (std::size_t lane = 0; lane < lanes(); ++lane) {
      if (!(maxima_[lane] >= bar)) continue;
      for (std::size_t c = lane; c < columns_; c += lanes())
        if (values_[c] >= bar && values_[c] > lowest) found_[count++] = static_cast<std::uint32_t>(c);
    }
  }
  return std::span(found_).first(count);
}

}  // namespace pith
