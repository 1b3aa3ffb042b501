#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace pith::testing {

enum class RowStyle { gaussian, small_integers, extremes, clustered, parallel, tiny };
inline const std::vector<RowStyle> all_row_styles = {RowStyle::gaussian, RowStyle::small_integers,
                                                     RowStyle::extremes, RowStyle::clustered,
                                                     RowStyle::parallel, RowStyle::tiny};

/// Rows that try hard: ties, duplicates, zero rows, norms from 1e-30 to 1e30, near-duplicates, multiples, and
/// values near the least that a float can be.
inline std::vector<float> random_rows(std::size_t n, std::size_t dimension, RowStyle style,
                                      std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<float> normal;
  std::uniform_int_distribution<int> small(-1, 1);
  std::uniform_int_distribution<int> percent(0, 99);
  std::vector<float> rows(n * dimension);
  for (std::size_t i = 0; i < n; ++i) {
    float* row = rows.data() + i * dimension;
    const float* earlier = i == 0 ? row : rows.data() + (rng() % i) * dimension;
    const int dice = percent(rng);
    float scale = 1;
    if (style == RowStyle::extremes)
      scale = dice < 20 ? 1e30F : dice < 40 ? 1e-30F : dice < 45 ? 3e38F : 1.0F;
    for (std::size_t d = 0; d < dimension; ++d) {
      switch (style) {
        case RowStyle::small_integers:
          row[d] = static_cast<float>(small(rng));
          break;
        case RowStyle::extremes:
          row[d] = scale * (normal(rng) > 0 ? 1.0F : -0.7F);
          break;
        case RowStyle::clustered:
          row[d] = 1000.0F + earlier[d] * 1e-3F + 1e-4F * normal(rng);
          break;
        case RowStyle::parallel:
          row[d] = static_cast<float>(1 + i % 7) * static_cast<float>(1 + (d + i % 3) % 5);
          break;
        case RowStyle::tiny:
          row[d] = 0x1p-140F * normal(rng);
          break;
        case RowStyle::gaussian:
          row[d] = normal(rng);
          break;
      }
    }
    if (dice >= 90 && style != RowStyle::parallel)
      for (std::size_t d = 0; d < dimension; ++d) row[d] = dice < 95 ? earlier[d] : 0.0F;
  }
  return rows;
}

}  // namespace pith::testing
