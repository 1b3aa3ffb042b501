#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "base/rng.h"
#include "graph/metric.h"
#include "pipeline/compare.h"
#include "pith/pith.h"
#include "strategy/registry.h"
#include "support/runs.h"
#include "support/strategy_data.h"

namespace pith {
namespace {

using testing::StrategyData;
using testing::with_threads;

double length_between(const StrategyData& data, Metric metric, Item a, Item b) {
  const double d =
      dissimilarity(metric, data.row(a), data.row(b), data.dimension,
                    squared_norm(data.row(a), data.dimension), squared_norm(data.row(b), data.dimension));
  return metric == Metric::cosine ? std::sqrt(std::max(0.0, 2 * d)) : d;
}

TEST(compare_property, coverage_is_the_distance_to_the_nearest_by_trying_all) {
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    SCOPED_TRACE(seed);
    const StrategyData points(seed, seed % 100 == 0 ? 700 : 30, 2);
    const auto metric = static_cast<Metric>(seed % 3);
    Rng rng(seed);
    std::vector<Item> chosen;
    for (Item item = 0; item < points.n; ++item)
      if (rng.below(4) == 0) chosen.push_back(item);
    if (chosen.empty()) chosen.push_back(0);
    double radius = 0;
    double sum = 0;
    for (Item item = 0; item < points.n; ++item) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const Item pick : chosen) nearest = std::min(nearest, length_between(points, metric, item, pick));
      radius = std::max(radius, nearest);
      sum += nearest;
    }
    for (const unsigned threads : {1U, 2U, 4U}) {
      const Coverage coverage =
          measure_coverage(points.input.embeddings.view, metric, chosen, with_threads(threads));
      ASSERT_EQ(coverage.radius, radius);
      ASSERT_EQ(coverage.mean_distance, sum / static_cast<double>(points.n));
    }
  }
}

TEST(compare_property, even_share_of_counts) {
  EXPECT_EQ(even_share(std::vector<std::int64_t>{}), 0);
  EXPECT_EQ(even_share(std::vector<std::int64_t>{7}), 0);
  EXPECT_EQ(even_share(std::vector<std::int64_t>{0, 0}), 0);
  EXPECT_EQ(even_share(std::vector<std::int64_t>{5, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(even_share(std::vector<std::int64_t>{3, 3, 3, 3}), 1);
  EXPECT_DOUBLE_EQ(even_share(std::vector<std::int64_t>{2, 2, 0, 0}), 0.5);
}

/// Every row is what select() alone chooses, and its figures are those of the picks.
TEST(compare_property, rows_are_single_selections_measured_alike) {
  std::vector<std::string> names;
  for (const Strategy& strategy : strategies()) names.emplace_back(strategy.name);
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const StrategyData points(seed, 30, 2);
    SelectOptions options;
    options.budget.amount = static_cast<std::int64_t>(1 + seed % points.candidates());
    options.graph.metric = static_cast<Metric>(seed % 3);
    options.seed = seed;
    if (seed % 2 == 0) options.objective.terms = {{"uncertainty", 0.5}, {"facility-location", 1}};
    const auto predictions = [&](UncertaintyKind kind) {
      return read_predictions(points.input.probabilities, kind);
    };
    const Comparison comparison = compare(points.input, options, names, predictions, with_threads(2));
    ASSERT_EQ(comparison.rows.size(), names.size());
    for (std::size_t at = 0; at < names.size(); ++at) {
      SCOPED_TRACE(names[at]);
      const ComparisonRow& row = comparison.rows[at];
      SelectOptions own = options;
      own.strategy = names[at];
      if (!find_strategy(names[at]).only_term.empty()) own.objective.terms.clear();
      SelectInput input = points.input;
      input.predictions = predictions(effective_options(own).objective.uncertainty);
      const Selection alone = select(input, own, with_threads(1));
      std::set<Item> picks;
      ASSERT_EQ(row.selection.picks.size(), alone.picks.size());
      double uncertainty = 0;
      for (std::size_t place = 0; place < alone.picks.size(); ++place) {
        ASSERT_EQ(row.selection.picks[place].item, alone.picks[place].item);
        picks.insert(alone.picks[place].item);
        uncertainty += points.input.predictions.margin[alone.picks[place].item];
      }
      ASSERT_NEAR(row.mean_uncertainty, uncertainty / static_cast<double>(picks.size()), 1e-12);
      const bool same_objective = names[at] == "submod-bal" || (names[at] == "submod" && seed % 2 == 0);
      if (same_objective) {
        ASSERT_EQ(row.objective, alone.objective.total);
      }
      for (std::size_t other = 0; other < names.size(); ++other) {
        std::set<Item> either = picks;
        std::size_t shared = 0;
        for (const PickRow& pick : comparison.rows[other].selection.picks) {
          shared += picks.contains(pick.item) ? 1 : 0;
          either.insert(pick.item);
        }
        ASSERT_EQ(comparison.jaccard[at][other],
                  static_cast<double>(shared) / static_cast<double>(either.size()));
      }
    }
  }
}

}  // namespace
}  // namespace pith
