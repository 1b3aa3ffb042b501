#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "graph/metric.h"
#include "pith/pith.h"
#include "support/runs.h"
#include "support/strategy_data.h"

namespace pith {
namespace {

using testing::with_threads;

using testing::items_of;
using Data = testing::StrategyData;

/// Farthest first, as one would say it.
std::vector<Item> naive_k_center(const Data& data, Metric metric, std::size_t budget) {
  const auto row = [&](Item item) { return data.rows.data() + item * data.dimension; };
  const auto between = [&](const float* a, const float* b) {
    return dissimilarity(metric, a, b, data.dimension, squared_norm(a, data.dimension),
                         squared_norm(b, data.dimension));
  };
  std::set<Item> barred(data.input.excluded.begin(), data.input.excluded.end());
  barred.insert(data.input.labelled.begin(), data.input.labelled.end());
  std::vector<Item> centers = data.input.labelled;
  std::vector<Item> picks;
  while (picks.size() < budget) {
    std::optional<Item> best;
    double best_distance = 0;
    for (Item item = 0; item < data.n; ++item) {
      if (barred.contains(item)) continue;
      double distance = std::numeric_limits<double>::infinity();
      for (const Item center : centers) distance = std::min(distance, between(row(item), row(center)));
      if (centers.empty()) {
        std::vector<double> sum(data.dimension, 0.0);
        for (Item other = 0; other < data.n; ++other)
          for (std::size_t d = 0; d < data.dimension; ++d) sum[d] += row(other)[d];
        std::vector<float> mean;
        for (const double s : sum) mean.push_back(static_cast<float>(s / static_cast<double>(data.n)));
        distance = -between(row(item), mean.data());
      }
      if (!best || distance > best_distance) {
        best = item;
        best_distance = distance;
      }
    }
    picks.push_back(*best);
    centers.push_back(*best);
    barred.insert(*best);
  }
  return picks;
}

TEST(strategies_property, k_center_is_farthest_first) {
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    const Data data(seed);
    SelectOptions options;
    options.strategy = "k-center";
    options.measure = false;
    options.graph.metric = static_cast<Metric>(seed % 3);
    const std::size_t budget = 1 + seed % data.candidates();
    options.budget.amount = static_cast<std::int64_t>(budget);
    ASSERT_EQ(items_of(select(data.input, options)), naive_k_center(data, options.graph.metric, budget));
  }
}

/// Large enough for batches and matrix products.
TEST(strategies_property, k_center_is_farthest_first_in_batches) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const Data data(seed, 900);
    SelectOptions options;
    options.strategy = "k-center";
    options.measure = false;
    options.graph.metric = static_cast<Metric>(seed % 3);
    const std::size_t budget = 1 + data.candidates() / 3;
    options.budget.amount = static_cast<std::int64_t>(budget);
    const std::vector<Item> expected = naive_k_center(data, options.graph.metric, budget);
    for (const unsigned threads : {1U, 2U, 4U})
      ASSERT_EQ(items_of(select(data.input, options, with_threads(threads))), expected);
  }
}

TEST(strategies_property, uncertain_ones_are_the_top_by_score) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Data data(seed);
    SelectOptions options;
    options.strategy = "margin";
    options.measure = false;
    options.budget.amount = static_cast<std::int64_t>(1 + seed % data.candidates());
    std::vector<Item> order;
    for (Item item = 0; item < data.n; ++item)
      if (!std::count(data.input.labelled.begin(), data.input.labelled.end(), item) &&
          !std::count(data.input.excluded.begin(), data.input.excluded.end(), item))
        order.push_back(item);
    const auto& u = data.input.predictions.margin;
    std::stable_sort(order.begin(), order.end(), [&](Item a, Item b) { return u[a] > u[b]; });
    order.resize(1 + seed % data.candidates());
    ASSERT_EQ(items_of(select(data.input, options)), order);
  }
}

TEST(strategies_property, random_is_uniform_over_items) {
  Data data(5, 60);
  while (data.n < 30) data = Data(data.n + 1000);
  data.input.labelled.clear();
  data.input.excluded.clear();
  SelectOptions options;
  options.strategy = "random";
  options.measure = false;
  options.budget.amount = static_cast<std::int64_t>(data.n / 3);
  std::vector<int> counts(data.n, 0);
  constexpr int draws = 4000;
  for (int seed = 0; seed < draws; ++seed) {
    options.seed = static_cast<std::uint64_t>(seed);
    for (const Item item : items_of(select(data.input, options))) ++counts[item];
  }
  const double share = static_cast<double>(data.n / 3) / static_cast<double>(data.n);
  const double deviation = std::sqrt(draws * share * (1 - share));
  for (const int count : counts) EXPECT_NEAR(count, draws * share, 5 * deviation);
}

}  // namespace
}  // namespace pith
