#include "graph/metric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/brute_force_neighbors.h"
#include "support/random_rows.h"

namespace pith {
namespace {

using testing::plain_dissimilarity;
using testing::random_rows;
using testing::RowStyle;

TEST(metric, has_the_bits_of_the_plain_loop_either_way_round) {
  for (const RowStyle style : {RowStyle::gaussian, RowStyle::extremes, RowStyle::small_integers})
    for (std::size_t dimension = 1; dimension < 90; ++dimension) {
      const auto rows = random_rows(2, dimension, style, dimension);
      const float* x = rows.data();
      const float* y = rows.data() + dimension;
      const double xx = squared_norm(x, dimension);
      const double yy = squared_norm(y, dimension);
      for (const Metric metric : {Metric::cosine, Metric::l2, Metric::l1}) {
        const double plain = plain_dissimilarity(metric, x, y, dimension);
        EXPECT_EQ(dissimilarity(metric, x, y, dimension, xx, yy), plain);
        EXPECT_EQ(dissimilarity(metric, y, x, dimension, yy, xx), plain);
      }
    }
}

TEST(metric, equal_rows_are_at_exactly_zero) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto row = random_rows(1, 37, RowStyle::gaussian, seed);
    const double square = squared_norm(row.data(), 37);
    if (square == 0) continue;
    EXPECT_EQ(cosine_dissimilarity(square, square, square), 0.0);
  }
}

TEST(metric, zero_vector_has_cosine_zero_with_everything) {
  EXPECT_EQ(cosine_dissimilarity(0, 0, 5), 1.0);
  EXPECT_EQ(cosine_dissimilarity(0, 0, 0), 1.0);
}

TEST(metric, extremes_stay_finite) {
  constexpr float most = std::numeric_limits<float>::max();
  constexpr float least = std::numeric_limits<float>::denorm_min();
  const float big[] = {most, most, most};
  const float opposite[] = {-most, -most, -most};
  const float tiny[] = {least, least, least};
  const double big_square = squared_norm(big, 3);
  const double tiny_square = squared_norm(tiny, 3);
  EXPECT_NEAR(cosine_dissimilarity(dot(big, opposite, 3), big_square, big_square), 2.0, 1e-15);
  EXPECT_NEAR(cosine_dissimilarity(dot(big, tiny, 3), big_square, tiny_square), 0.0, 1e-15);
  EXPECT_TRUE(std::isfinite(l2_distance(big, opposite, 3)));
  EXPECT_EQ(stored_dissimilarity(l1_distance(big, opposite, 3)), most);
  EXPECT_GT(l2_distance(tiny, big, 3), 0.0);
}

}  // namespace
}  // namespace pith
