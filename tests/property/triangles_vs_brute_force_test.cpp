#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "graph/triangles.h"
#include "support/quantile.h"
#include "support/random_graph.h"
#include "support/runs.h"

namespace pith {
namespace {

using testing::random_graph;
using testing::with_threads;

/// All triples; all areas sorted.
Triangles brute_force_triangles(const Graph& graph, const AreaRule& rule) {
  struct Found {
    double area;
    Item corners[3];
  };
  std::vector<Found> all;
  const std::size_t n = graph.size();
  std::vector<double> lengths(n * n, -1);
  for (Item i = 0; i < n; ++i)
    for (std::size_t at = 0; at < graph.neighbors(i).size(); ++at)
      lengths[i * n + graph.neighbors(i)[at]] = graph.length(graph.dissimilarities(i)[at]);
  for (Item i = 0; i < n; ++i)
    for (Item j = i + 1; j < n; ++j) {
      const double a = lengths[i * n + j];
      if (a < 0) continue;
      for (Item m = j + 1; m < n; ++m) {
        const double b = lengths[i * n + m];
        const double c = lengths[j * n + m];
        if (b >= 0 && c >= 0) all.push_back({triangle_area(a, b, c), {i, j, m}});
      }
    }
  Triangles triangles;
  triangles.count = all.size();
  triangles.at_item.assign(graph.size(), 0);
  triangles.thin_at_item.assign(graph.size(), 0);
  if (rule.threshold) {
    triangles.area_threshold = *rule.threshold;
  } else if (!all.empty()) {
    std::vector<double> areas;
    for (const auto& found : all) areas.push_back(found.area);
    std::sort(areas.begin(), areas.end());
    triangles.area_threshold = testing::quantile_of(areas, rule.quantile);
  }
  for (const auto& found : all) {
    const bool thin = found.area < triangles.area_threshold;
    triangles.thin_count += static_cast<std::uint64_t>(thin);
    for (const Item corner : found.corners) {
      ++triangles.at_item[corner];
      triangles.thin_at_item[corner] += static_cast<std::uint32_t>(thin);
    }
  }
  return triangles;
}

bool same(const Triangles& a, const Triangles& b) {
  return a.count == b.count && a.area_threshold == b.area_threshold && a.thin_count == b.thin_count &&
         a.at_item == b.at_item && a.thin_at_item == b.thin_at_item;
}

RC_GTEST_PROP(triangles, equal_brute_force, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(1, 50);
  const auto density = *rc::gen::element(0.0, 0.1, 0.3, 0.7, 1.0);
  const auto metric = *rc::gen::element(Metric::cosine, Metric::l2, Metric::l1);
  const Graph graph = random_graph(n, density, metric, *rc::gen::arbitrary<std::uint64_t>());
  AreaRule rule;
  rule.quantile = *rc::gen::element(0.0, 0.1, 0.25, 0.5, 0.99, 1.0);
  if (*rc::gen::arbitrary<bool>()) rule.threshold = 0.2;
  const Triangles expected = brute_force_triangles(graph, rule);
  for (const unsigned threads : {1U, 2U, 4U})
    RC_ASSERT(same(find_triangles(graph, rule, with_threads(threads)), expected));
}

// Large enough that the walk brackets the quantile from a sample of the items.
TEST(triangles_vs_brute_force, sampled_bracket_gives_the_exact_quantile) {
  const Graph graph = random_graph(2000, 0.05, Metric::l2, 11);
  for (const double quantile : {0.0, 0.01, 0.25, 0.5, 1.0}) {
    const AreaRule rule{.threshold = {}, .quantile = quantile};
    const Triangles expected = brute_force_triangles(graph, rule);
    for (const unsigned threads : {1U, 2U, 4U})
      EXPECT_TRUE(same(find_triangles(graph, rule, with_threads(threads)), expected)) << quantile;
  }
}

TEST(triangles_vs_brute_force, misleading_sample_gives_the_exact_quantile) {
  // Every s-th item sees other areas than the rest; one of these s is near the sample's own step.
  const Graph graph = random_graph(2000, 0.05, Metric::l2, 11);
  for (Item step = 11; step <= 14; ++step) {
    std::vector<float> d(graph.all_dissimilarities().begin(), graph.all_dissimilarities().end());
    for (Item i = 0; i < graph.size(); ++i)
      for (std::size_t at = graph.offsets()[i]; at < graph.offsets()[i + 1]; ++at) {
        const Item low = std::min(i, graph.all_neighbors()[at]);
        d[at] = low % step == step / 2 ? 100.0F : 1.0F + d[at] / 8;
      }
    const Graph changed = Graph::of_rows(graph.info(), {graph.offsets().begin(), graph.offsets().end()},
                                         {graph.all_neighbors().begin(), graph.all_neighbors().end()}, d);
    EXPECT_TRUE(same(find_triangles(changed, {}, with_threads(2)), brute_force_triangles(changed, {})))
        << step;
  }
}

/// The sample sees one area on both sides of the quantile, or nearly so.
TEST(triangles_vs_brute_force, equal_areas_give_the_exact_quantile) {
  const Graph graph = random_graph(2000, 0.05, Metric::l2, 11);
  for (const unsigned of_another_length : {0U, 2U, 20U}) {  // of a hundred items
    std::vector<float> d(graph.all_dissimilarities().begin(), graph.all_dissimilarities().end());
    for (Item i = 0; i < graph.size(); ++i)
      for (std::size_t at = graph.offsets()[i]; at < graph.offsets()[i + 1]; ++at)
        if (std::max(i, graph.all_neighbors()[at]) % 100 >= of_another_length) d[at] = 1.0F;
    const Graph changed = Graph::of_rows(graph.info(), {graph.offsets().begin(), graph.offsets().end()},
                                         {graph.all_neighbors().begin(), graph.all_neighbors().end()}, d);
    for (const double quantile : {0.0, 0.25, 0.5, 1.0}) {
      const AreaRule rule{.threshold = {}, .quantile = quantile};
      EXPECT_TRUE(same(find_triangles(changed, rule, with_threads(2)), brute_force_triangles(changed, rule)))
          << of_another_length << " " << quantile;
    }
  }
}

TEST(triangles_vs_brute_force, hub_rows) {
  // Item 0 knows everybody, so its row is far longer than the others': searched, not merged.
  const std::size_t n = 300;
  std::vector<std::uint64_t> offsets = {0};
  std::vector<Item> neighbors;
  std::vector<float> d;
  for (Item i = 0; i < n; ++i) {
    std::vector<Item> row;
    for (Item j = 0; j < n; ++j)
      if (j != i && (i == 0 || j == 0 || i == n - 1 || j == n - 1 || (i ^ 1U) == j)) row.push_back(j);
    for (const Item j : row) {
      neighbors.push_back(j);
      d.push_back(1.0F + static_cast<float>((i * j) % 7) / 8.0F);
    }
    offsets.push_back(neighbors.size());
  }
  GraphInfo info;
  info.metric = Metric::l1;
  const Graph graph = Graph::of_rows(info, offsets, neighbors, d);
  EXPECT_TRUE(same(find_triangles(graph, {}, with_threads(2)), brute_force_triangles(graph, {})));
}

long double long_heron(long double a, long double b, long double c) {
  long double s[] = {a, b, c};
  std::sort(std::begin(s), std::end(s));
  const long double square =
      (s[2] + (s[1] + s[0])) * (s[0] - (s[2] - s[1])) * (s[0] + (s[2] - s[1])) * (s[2] + (s[1] - s[0]));
  return square > 0 ? std::sqrt(square) / 4 : 0;
}

RC_GTEST_PROP(triangle_area, agrees_with_long_double, ()) {
  const auto side = [] { return static_cast<double>(*rc::gen::inRange(1, 100000)) / 64; };
  const double a = side();
  const double b = side();
  const double c = *rc::gen::arbitrary<bool>() ? side() : std::abs(a - b) + 0x1p-30;
  const auto exact = static_cast<double>(long_heron(a, b, c));
  RC_ASSERT(std::abs(triangle_area(a, b, c) - exact) <= 1e-14 * exact);
  RC_ASSERT(triangle_area(a, b, c) == triangle_area(c, a, b));
  RC_ASSERT(triangle_area(a, b, c) == triangle_area(b, a, c));
}

TEST(triangle_area, needles_of_kahan) {
  EXPECT_NEAR(triangle_area(100000, 99999.9999979, 0.00000021), 0.0, 1e-300) << "no triangle";
  EXPECT_NEAR(triangle_area(100000, 100000, 1.00005), 50002.5, 1e-3);
  EXPECT_NEAR(triangle_area(99999.99996, 99999.99994, 0.00003) / 1.118033988, 1.0, 1e-5);
  EXPECT_EQ(triangle_area(1, 2, 4), 0.0);
  EXPECT_EQ(triangle_area(0, 0, 0), 0.0);
  EXPECT_EQ(triangle_area(3, 4, 5), 6.0);
}

}  // namespace
}  // namespace pith
