#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "base/rng.h"
#include "graph/metric.h"
#include "graph/triangles.h"
#include "objective/objective.h"
#include "pith/pith.h"
#include "support/runs.h"
#include "support/strategy_data.h"

namespace pith {
namespace {

using testing::items_of;
using testing::StrategyData;
using testing::with_threads;

/// All similarities facility location may look at: of edges, or of all pairs on a grid of 2^-31.
std::vector<std::vector<double>> similarities(const StrategyData& points, const Graph& graph,
                                              Facility facility) {
  std::vector<std::vector<double>> s(points.n, std::vector<double>(points.n, 0.0));
  for (Item a = 0; a < points.n; ++a) {
    s[a][a] = 1;
    if (facility == Facility::graph) {
      for (std::size_t at = 0; at < graph.neighbors(a).size(); ++at)
        s[a][graph.neighbors(a)[at]] = graph.similarity(graph.dissimilarities(a)[at]);
      continue;
    }
    for (Item b = 0; b < points.n; ++b) {
      const float* x = points.rows.data() + a * points.dimension;
      const float* y = points.rows.data() + b * points.dimension;
      const double d = dissimilarity(graph.info().metric, x, y, points.dimension,
                                     squared_norm(x, points.dimension), squared_norm(y, points.dimension));
      if (b != a) s[a][b] = std::round(graph.similarity(stored_dissimilarity(d)) * 0x1p31) * 0x1p-31;
    }
  }
  return s;
}

/// The greedy as one would say it, on gains recomputed from the definition.
std::vector<Item> naive_facility_location(const StrategyData& points,
                                          const std::vector<std::vector<double>>& s, std::size_t budget) {
  std::set<Item> barred(points.input.excluded.begin(), points.input.excluded.end());
  barred.insert(points.input.labelled.begin(), points.input.labelled.end());
  std::vector<Item> chosen = points.input.labelled;
  const auto value = [&](const std::vector<Item>& set) {
    double sum = 0;
    for (Item item = 0; item < points.n; ++item) {
      double best = 0;
      for (const Item pick : set) best = std::max(best, s[item][pick]);
      sum += best;
    }
    return sum;
  };
  std::vector<Item> picks;
  while (picks.size() < budget) {
    std::optional<Item> best;
    double best_value = 0;
    for (Item item = 0; item < points.n; ++item) {
      if (barred.contains(item)) continue;
      std::vector<Item> with = chosen;
      with.push_back(item);
      if (const double now = value(with); !best || now > best_value) {
        best = item;
        best_value = now;
      }
    }
    picks.push_back(*best);
    chosen.push_back(*best);
    barred.insert(*best);
  }
  return picks;
}

TEST(facility_property, strategy_is_the_naive_greedy_on_the_graph_and_on_all_pairs) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    const StrategyData points(seed, 24, 2);
    SelectOptions options;
    options.strategy = "facility-location";
    options.graph.metric = static_cast<Metric>(seed % 3);
    options.graph.neighbors = static_cast<std::uint32_t>(1 + seed % (points.n - 1));
    options.objective.facility = seed % 2 == 0 ? Facility::graph : Facility::dense;
    const std::size_t budget = 1 + seed % points.candidates();
    options.budget.amount = static_cast<std::int64_t>(budget);
    const Graph graph = build_graph(points.input.embeddings, options.graph);
    const auto s = similarities(points, graph, options.objective.facility);
    const std::vector<Item> expected = naive_facility_location(points, s, budget);
    for (const unsigned threads : {1U, 2U, 4U}) {
      const Selection selection = select(points.input, options, with_threads(threads));
      ASSERT_EQ(items_of(selection), expected);
      ASSERT_LE(selection.objective.total, selection.certificate.upper_bound);
      ASSERT_EQ(selection.objective.others.size(), 1U);
    }
  }
}

/// A state that adds and removes knows what one made from scratch knows, for members and others alike.
TEST(facility_property, removing_leaves_no_trace_over_all_pairs) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    const StrategyData points(seed, 14, 2);
    ObjectiveOptions weights;
    weights.facility = Facility::dense;
    weights.terms = {{"facility-location", 1}};
    GraphOptions graph_options;
    graph_options.metric = static_cast<Metric>(seed % 3);
    const Graph graph = build_graph(points.input.embeddings, graph_options);
    const pith::Run run;
    const Triangles triangles = find_triangles(graph, {}, run);
    const Objective objective = make_objective({.predictions = points.input.predictions,
                                                .graph = graph,
                                                .triangles = triangles,
                                                .scores = {},
                                                .embeddings = &points.input.embeddings,
                                                .memory_bytes = {},
                                                .options = weights,
                                                .run = run});
    ObjectiveState state(objective);
    Rng rng(seed);
    std::vector<Item> set;
    for (int step = 0; step < 20; ++step) {
      const auto item = static_cast<Item>(rng.below(points.n));
      if (state.set().contains(item)) {
        std::erase(set, item);
        state.remove(item);
      } else {
        set.push_back(item);
        state.add(item);
      }
      for (Item other = 0; other < points.n; ++other) {
        std::vector<Item> without = set;
        std::erase(without, other);
        std::vector<Item> with = without;
        with.push_back(other);
        ASSERT_EQ(state.gain(other), objective.value(with) - objective.value(without));
        ASSERT_GE(state.gain(other), objective.least_gain(other));
      }
    }
  }
}

}  // namespace
}  // namespace pith
