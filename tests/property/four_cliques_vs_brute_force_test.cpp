#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/rng.h"
#include "graph/four_cliques.h"
#include "support/quantile.h"
#include "support/random_graph.h"
#include "support/runs.h"

namespace pith {
namespace {

using testing::random_graph;
using testing::with_threads;

/// Every set of four tried, sorted volumes for the quantile.
FourCliques brute_force(const Graph& graph, double quantile) {
  const auto linked = [&](Item a, Item b) {
    const auto row = graph.neighbors(a);
    return std::binary_search(row.begin(), row.end(), b);
  };
  std::vector<std::pair<std::array<Item, 4>, double>> all;
  std::vector<double> volumes;
  const auto n = static_cast<Item>(graph.size());
  for (Item a = 0; a < n; ++a)
    for (Item b = a + 1; b < n; ++b) {
      if (!linked(a, b)) continue;
      for (Item c = b + 1; c < n; ++c) {
        if (!linked(a, c) || !linked(b, c)) continue;
        for (Item d = c + 1; d < n; ++d) {
          if (!linked(a, d) || !linked(b, d) || !linked(c, d)) continue;
          all.push_back({{a, b, c, d}, tetrahedron_volume(sides_of(graph, d, b, a, c))});
          volumes.push_back(all.back().second);
        }
      }
    }
  FourCliques cliques;
  cliques.count = all.size();
  cliques.at_item.assign(n, 0);
  cliques.thin_at_item.assign(n, 0);
  if (all.empty()) return cliques;
  std::sort(volumes.begin(), volumes.end());
  cliques.volume_threshold = testing::quantile_of(volumes, quantile);
  for (const auto& [corners, volume] : all) {
    const bool thin = volume < cliques.volume_threshold;
    cliques.thin_count += thin ? 1 : 0;
    for (const Item corner : corners) {
      ++cliques.at_item[corner];
      cliques.thin_at_item[corner] += thin ? 1 : 0;
    }
  }
  return cliques;
}

void expect_same(const FourCliques& found, const FourCliques& expected) {
  ASSERT_EQ(found.count, expected.count);
  ASSERT_EQ(found.volume_threshold, expected.volume_threshold);
  ASSERT_EQ(found.thin_count, expected.thin_count);
  ASSERT_EQ(found.at_item, expected.at_item);
  ASSERT_EQ(found.thin_at_item, expected.thin_at_item);
}

TEST(four_cliques_vs_brute_force, small_graphs_full_of_ties) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const std::size_t n = 1 + rng.below(16);
    const Graph graph = seed % 2 == 0
                            ? random_graph(n, 0.3 + 0.7 * rng.unit(), {0.0F, 0.25F, 0.3F, 0.31F}, {}, seed)
                            : random_graph(n, 0.3 + 0.7 * rng.unit(), static_cast<Metric>(seed % 3), seed);
    const double quantile = static_cast<double>(rng.below(5)) / 4;
    expect_same(find_four_cliques(graph, quantile, with_threads(1)), brute_force(graph, quantile));
  }
}

TEST(four_cliques_vs_brute_force, large_enough_for_several_chunks_and_threads) {
  for (const double quantile : {0.0, 0.1, 0.25, 1.0}) {
    const Graph graph = random_graph(700, 0.06, Metric::cosine, 5);
    const FourCliques expected = brute_force(graph, quantile);
    ASSERT_GT(expected.count, 50U);
    for (const unsigned threads : {1U, 2U, 4U})
      expect_same(find_four_cliques(graph, quantile, with_threads(threads)), expected);
  }
}

/// Corners in space, whose volume is a determinant over 6, for any order of the corners.
TEST(four_cliques_vs_brute_force, volume_is_the_determinants) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    double x[4][3];
    for (auto& corner : x)
      for (double& value : corner) value = static_cast<double>(rng.below(7)) - 3;
    const auto side = [&](int p, int q) {
      return std::hypot(x[p][0] - x[q][0], x[p][1] - x[q][1], x[p][2] - x[q][2]);
    };
    double e[3][3];
    for (int k = 0; k < 3; ++k)
      for (int d = 0; d < 3; ++d) e[k][d] = x[k + 1][d] - x[0][d];
    const double determinant = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                               e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                               e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    const double volume =
        tetrahedron_volume({side(0, 1), side(0, 2), side(0, 3), side(1, 2), side(1, 3), side(2, 3)});
    ASSERT_NEAR(volume, std::abs(determinant) / 6, 1e-5);
  }
  EXPECT_EQ(tetrahedron_volume({1, 1, 1, 5, 1, 1}), 0) << "lengths of no solid";
}

}  // namespace
}  // namespace pith
