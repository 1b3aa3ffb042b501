#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/rng.h"
#include "graph/exact_areas.h"
#include "graph/triangles.h"
#include "objective/objective.h"
#include "objective/triples.h"
#include "pith/pith.h"
#include "support/quantile.h"
#include "support/runs.h"
#include "support/strategy_data.h"

namespace pith {
namespace {

using testing::StrategyData;
using testing::with_threads;

/// Heron on side lengths, in long double and the textbook's order; a zero row lies on an axis of its own.
long double slow_area(const StrategyData& points, Metric metric, std::array<Item, 3> corners) {
  const auto coordinates = [&](Item item, std::size_t own_axis) {
    std::vector<long double> x(points.dimension + 3, 0);
    long double square = 0;
    for (std::size_t d = 0; d < points.dimension; ++d) {
      x[d] = points.rows[item * points.dimension + d];
      square += x[d] * x[d];
    }
    if (metric != Metric::cosine) return x;
    if (square == 0) x[points.dimension + own_axis] = 1;
    for (std::size_t d = 0; d < points.dimension && square > 0; ++d) x[d] /= std::sqrt(square);
    return x;
  };
  std::array<std::vector<long double>, 3> x;
  for (std::size_t k = 0; k < 3; ++k) x[k] = coordinates(corners[k], k);
  const auto side = [&](std::size_t p, std::size_t q) {
    long double sum = 0;
    for (std::size_t d = 0; d < x[p].size(); ++d) sum += (x[p][d] - x[q][d]) * (x[p][d] - x[q][d]);
    return std::sqrt(sum);
  };
  const long double a = side(0, 1);
  const long double b = side(1, 2);
  const long double c = side(0, 2);
  const long double s = (a + b + c) / 2;
  return std::sqrt(std::max(0.0L, s * (s - a) * (s - b) * (s - c)));
}

TEST(exact_areas_property, area_is_herons_for_any_order_of_corners) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    const StrategyData points(seed, 12, 3);
    const auto metric = static_cast<Metric>(seed % 3);
    const Matrix& matrix = points.input.embeddings;
    const ExactAreas areas(matrix.view, metric, {});
    Rng rng(seed);
    std::array<Item, 3> corners{};
    for (Item& corner : corners) corner = static_cast<Item>(rng.below(points.n));
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[0] == corners[2]) continue;
    const double area = areas.area(corners[0], corners[1], corners[2]);
    ASSERT_NEAR(area, static_cast<double>(slow_area(points, metric, corners)), 3e-8);
    ASSERT_EQ(area, areas.area(corners[2], corners[0], corners[1]));
    ASSERT_EQ(area, areas.area(corners[1], corners[0], corners[2]));
  }
}

/// Two rows a hair apart: the side lengths of the graph are floats of 1 - cos and know six digits of the
/// hair; the area must know more.
TEST(exact_areas_property, needles_keep_their_digits) {
  const std::vector<float> rows = {1, 0, 0, 1, 0x1p-20F, 0, 0, 0, 1};
  const Matrix matrix = Matrix::of_floats(rows, 3, 3, "rows");
  const ExactAreas areas(matrix.view, Metric::l2, {});
  // Base 2^-20 along y, apex (0, 0, 1): height sqrt(2) from the base's line, to first order.
  EXPECT_NEAR(areas.area(0, 1, 2) / (0x1p-21 * std::sqrt(2.0)), 1.0, 1e-12);
}

/// Counts, threshold, values and gains of the triple term, against every triple tried.
TEST(exact_areas_property, triples_by_exact_areas_are_their_definition) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const StrategyData points(seed, 14, 3);
    GraphOptions graph_options;
    graph_options.metric = static_cast<Metric>(seed % 3);
    graph_options.neighbors = static_cast<std::uint32_t>(1 + seed % std::min<std::size_t>(5, points.n - 1));
    const Matrix& matrix = points.input.embeddings;
    const Graph graph = build_graph(matrix, graph_options);
    ObjectiveOptions weights;
    weights.areas = Areas::exact;
    weights.terms = {{"triples", 1}};
    weights.triple_scale = TripleScale::none;
    weights.eta = 0.5;
    weights.area_quantile = static_cast<double>(seed % 5) / 4;
    const pith::Run run = with_threads(1 + seed % 3);
    const AreaRule rule = area_rule_of(weights, graph.info().metric, matrix, run);
    const Triangles triangles = find_triangles(graph, rule, run);

    const ExactAreas areas(matrix.view, graph.info().metric, run);
    const auto linked = [&](Item a, Item b) {
      const auto row = graph.neighbors(a);
      return std::find(row.begin(), row.end(), b) != row.end();
    };
    std::vector<std::pair<std::array<Item, 3>, double>> all;
    std::vector<double> sorted;
    for (Item a = 0; a < points.n; ++a)
      for (Item b = a + 1; b < points.n; ++b)
        for (Item c = b + 1; c < points.n; ++c)
          if (linked(a, b) && linked(b, c) && linked(a, c)) {
            all.push_back({{a, b, c}, areas.area(a, b, c)});
            sorted.push_back(all.back().second);
          }
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(triangles.count, all.size());
    if (!sorted.empty()) {
      ASSERT_NEAR(triangles.area_threshold, testing::quantile_of(sorted, weights.area_quantile), 1e-12);
    }
    const auto value = [&](const std::vector<Item>& set) {
      double sum = 0;
      for (const auto& [corners, area] : all) {
        std::size_t inside = 0;
        for (const Item corner : corners)
          inside += static_cast<std::size_t>(std::count(set.begin(), set.end(), corner));
        sum += static_cast<double>(inside);
        if (inside == 3 && area < triangles.area_threshold) sum -= weights.eta;
      }
      return sum;
    };
    Predictions predictions;
    const Objective objective = make_objective({.predictions = predictions,
                                                .graph = graph,
                                                .triangles = triangles,
                                                .scores = {},
                                                .embeddings = &matrix,
                                                .memory_bytes = {},
                                                .options = weights,
                                                .run = run});
    ObjectiveState state(objective);
    Rng rng(seed);
    std::vector<Item> set;
    for (int step = 0; step < 12; ++step) {
      const auto item = static_cast<Item>(rng.below(points.n));
      if (state.set().contains(item)) continue;
      std::vector<Item> with = set;
      with.push_back(item);
      ASSERT_EQ(state.gain(item), value(with) - value(set));
      ASSERT_GE(state.gain(item), objective.least_gain(item));
      state.add(item);
      set = with;
      ASSERT_EQ(objective.value(set), value(set));
    }
  }
}

}  // namespace
}  // namespace pith
