#include "report/pca.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/rng.h"
#include "support/runs.h"

namespace pith {
namespace {

using testing::with_threads;

std::vector<Item> all_items(std::size_t n) {
  std::vector<Item> items(n);
  std::iota(items.begin(), items.end(), Item{0});
  return items;
}

Pca pca_of(const std::vector<float>& rows, std::size_t cols, bool unit_rows = false, unsigned threads = 2) {
  const std::size_t n = rows.size() / cols;
  return find_pca(MatrixView::of_floats(rows.data(), n, cols), all_items(n), unit_rows,
                  with_threads(threads));
}

std::vector<float> stretched_rows(std::size_t n, std::size_t cols, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> rows;
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t col = 0; col < cols; ++col)
      rows.push_back(static_cast<float>(rng.normal() * (3.0 / static_cast<double>(col + 1)) + 5));
  return rows;
}

/// Variances along all directions, largest first: Jacobi's rotations on the whole covariance.
std::vector<double> slow_variances(const std::vector<float>& rows, std::size_t cols) {
  const std::size_t n = rows.size() / cols;
  std::vector<double> mean(cols, 0.0);
  for (std::size_t at = 0; at < rows.size(); ++at)
    mean[at % cols] += static_cast<double>(rows[at]) / static_cast<double>(n);
  std::vector<std::vector<double>> m(cols, std::vector<double>(cols, 0.0));
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t a = 0; a < cols; ++a)
      for (std::size_t b = 0; b < cols; ++b)
        m[a][b] += (static_cast<double>(rows[row * cols + a]) - mean[a]) *
                   (static_cast<double>(rows[row * cols + b]) - mean[b]) / static_cast<double>(n);
  for (int sweep = 0; sweep < 50; ++sweep)
    for (std::size_t p = 0; p < cols; ++p)
      for (std::size_t q = p + 1; q < cols; ++q) {
        if (std::abs(m[p][q]) < 1e-15) continue;
        const double angle = 0.5 * std::atan2(2 * m[p][q], m[p][p] - m[q][q]);
        const double c = std::cos(angle);
        const double s = std::sin(angle);
        for (std::size_t k = 0; k < cols; ++k) {
          const double a = m[k][p];
          const double b = m[k][q];
          m[k][p] = c * a + s * b;
          m[k][q] = c * b - s * a;
        }
        for (std::size_t k = 0; k < cols; ++k) {
          const double a = m[p][k];
          const double b = m[q][k];
          m[p][k] = c * a + s * b;
          m[q][k] = c * b - s * a;
        }
      }
  std::vector<double> out;
  for (std::size_t a = 0; a < cols; ++a) out.push_back(m[a][a]);
  std::sort(out.rbegin(), out.rend());
  return out;
}

TEST(Pca, finds_the_directions_of_a_flat_cloud) {
  std::vector<float> rows;
  Rng rng(1);
  for (int row = 0; row < 3000; ++row) {
    const double along = 10 * rng.normal();
    const double across = rng.normal();
    rows.push_back(static_cast<float>(0.6 * along - 0.8 * across + 100));
    rows.push_back(static_cast<float>(0.8 * along + 0.6 * across - 7));
    rows.push_back(2.5F);
  }
  const Pca pca = pca_of(rows, 3);
  EXPECT_NEAR(pca.axes[0][0], 0.6, 0.02);
  EXPECT_NEAR(pca.axes[0][1], 0.8, 0.02);
  EXPECT_NEAR(pca.axes[0][2], 0, 1e-3);
  EXPECT_NEAR(pca.variance[0], 100, 8);
  EXPECT_NEAR(pca.variance[1], 1, 0.1);
  EXPECT_NEAR(pca.total_variance, pca.variance[0] + pca.variance[1], 0.01);
}

TEST(Pca, agrees_with_the_whole_covariance) {
  for (const std::size_t cols : {2U, 3U, 9U, 20U})
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const std::vector<float> rows = stretched_rows(700, cols, seed);
      const Pca pca = pca_of(rows, cols);
      const std::vector<double> slow = slow_variances(rows, cols);
      EXPECT_NEAR(pca.variance[0], slow[0], 2e-3 * slow[0]);
      EXPECT_NEAR(pca.variance[1], slow[1], 2e-3 * slow[0]);
      EXPECT_NEAR(pca.total_variance, std::accumulate(slow.begin(), slow.end(), 0.0), 2e-3 * slow[0]);
      double square = 0;
      double mean = 0;
      for (const Point& point : pca.points) {
        square += static_cast<double>(point.x) * static_cast<double>(point.x) / 700;
        mean += static_cast<double>(point.x) / 700;
      }
      EXPECT_NEAR(mean, 0, 1e-3);
      EXPECT_NEAR(square, slow[0], 5e-3 * slow[0]);
    }
}

TEST(Pca, is_the_same_for_any_number_of_threads) {
  const std::vector<float> rows = stretched_rows(5000, 17, 4);
  const Pca first = pca_of(rows, 17, true, 1);
  for (const unsigned threads : {2U, 3U, 8U}) {
    const Pca other = pca_of(rows, 17, true, threads);
    EXPECT_EQ(other.points, first.points);
    EXPECT_EQ(other.axes, first.axes);
    EXPECT_EQ(other.variance, first.variance);
  }
}

TEST(Pca, of_next_to_nothing) {
  EXPECT_TRUE(pca_of({}, 3).points.empty());
  const Pca one = pca_of({1, 2, 3}, 3);
  EXPECT_EQ(one.points, std::vector<Point>{Point{}});
  const Pca same = pca_of(std::vector<float>(40, 3.5F), 4);
  for (const Point& point : same.points) EXPECT_EQ(point, Point{});
  const Pca zeros = pca_of(std::vector<float>(12, 0.0F), 3, true);
  for (const Point& point : zeros.points) EXPECT_EQ(point, Point{});
  const Pca line = pca_of({1, 2, 3, 4, 10}, 1);
  EXPECT_NEAR(line.points[4].x, 6, 1e-5);
  EXPECT_NEAR(line.points[4].y, 0, 1e-5);
}

}  // namespace
}  // namespace pith
