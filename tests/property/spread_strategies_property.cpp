#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "strategy/kernel_means.h"
#include "support/strategy_twins.h"

// The spreading, mean-matching and deduplicating strategies against their definitions, from scratch at every
// step.
namespace pith {
namespace {

using testing::for_seeds;
using testing::TwinCase;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(spread_strategies_property, max_min_is_farthest_first_from_the_rim) {
  for_seeds(300, [](std::uint64_t seed) {
    const TwinCase twin("max-min", seed);
    twin.expect_greedy([&](Item item, const std::vector<Item>& chosen) {
      if (chosen.empty()) return twin.to_mean(item);
      double nearest = infinity;
      for (const Item other : chosen) nearest = std::min(nearest, twin.dissimilarity_of(item, other));
      return nearest;
    });
  });
}

TEST(spread_strategies_property, max_sum_adds_the_largest_sum_of_lengths) {
  for_seeds(300, [](std::uint64_t seed) {
    const TwinCase twin("max-sum", seed);
    twin.expect_greedy([&](Item item, const std::vector<Item>& chosen) {
      if (chosen.empty()) return twin.to_mean(item);
      double sum = 0;
      for (const Item other : chosen) sum += twin.length_of(item, other);
      return sum;
    });
  });
}

/// Smallest and summed lengths over all pairs of a set.
struct Dispersion {
  double least = infinity;
  double sum = 0;
};
Dispersion dispersion_of(const TwinCase& twin, const std::vector<Item>& items) {
  Dispersion found;
  for (std::size_t a = 0; a < items.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const double length = twin.length_of(items[a], items[b]);
      found.least = std::min(found.least, length);
      found.sum += length;
    }
  return found;
}

/// The guarantees the documentation claims, against all subsets.
TEST(spread_strategies_property, at_least_half_of_the_best_dispersion) {
  for_seeds(60, [](std::uint64_t seed) {
    testing::StrategyData data(seed, 10);
    data.input.labelled.clear();
    data.input.excluded.clear();
    const auto plain = [](SelectOptions& options) { options.balance.balance = BalanceKind::none; };
    const TwinCase least(data, "max-min", seed, plain);
    const TwinCase sum(data, "max-sum", seed, plain);
    const std::size_t k = least.picks().size();
    if (k < 2) return;
    Dispersion best{.least = 0, .sum = 0};
    for (std::uint32_t mask = 0; mask < (1U << data.n); ++mask) {
      if (static_cast<std::size_t>(__builtin_popcount(mask)) != k) continue;
      std::vector<Item> items;
      for (Item item = 0; item < data.n; ++item)
        if ((mask >> item & 1U) != 0) items.push_back(item);
      const Dispersion here = dispersion_of(least, items);
      best = {std::max(best.least, here.least), std::max(best.sum, here.sum)};
    }
    ASSERT_GE(dispersion_of(least, least.picks()).least, best.least / 2 - 1e-12);
    ASSERT_GE(dispersion_of(sum, sum.picks()).sum, best.sum / 2 - 1e-9);
  });
}

/// Row as herding sees it.
std::vector<double> herded_row(const TwinCase& twin, Item item) {
  const float* row = twin.data.row(item);
  std::vector<double> values(row, row + twin.data.dimension);
  double square = 0;
  for (const double v : values) square += v * v;
  if (twin.metric() == Metric::cosine && square > 0)
    for (double& v : values) v /= std::sqrt(square);
  return values;
}

TEST(spread_strategies_property, herding_keeps_the_mean_of_the_chosen_near_that_of_all) {
  for_seeds(300, [](std::uint64_t seed) {
    const TwinCase twin("herding", seed, 30);
    const std::size_t dimension = twin.data.dimension;
    std::vector<double> mean(dimension, 0.0);
    for (Item item = 0; item < twin.data.n; ++item) {
      if (twin.data.is_excluded(item)) continue;
      const std::vector<double> row = herded_row(twin, item);
      for (std::size_t d = 0; d < dimension; ++d)
        mean[d] += row[d] / static_cast<double>(twin.data.n - twin.data.input.excluded.size());
    }
    twin.expect_greedy(
        [&](Item item, const std::vector<Item>& chosen) {
          std::vector<double> sum = herded_row(twin, item);
          for (const Item other : chosen) {
            const std::vector<double> row = herded_row(twin, other);
            for (std::size_t d = 0; d < dimension; ++d) sum[d] += row[d];
          }
          const auto count = static_cast<double>(chosen.size() + 1);
          double square = 0;
          for (std::size_t d = 0; d < dimension; ++d)
            square += (sum[d] - count * mean[d]) * (sum[d] - count * mean[d]);
          return -square;
        },
        1e-5);
  });
}

TEST(spread_strategies_property, mmd_lowers_the_discrepancy_most) {
  for_seeds(200, [](std::uint64_t seed) {
    const TwinCase twin("mmd", seed, 30);
    Pool pool = Pool::of_all(twin.data.n);
    for (const Item item : twin.data.input.excluded) pool.state[item] = Pool::State::excluded;
    const ItemLengths lengths(twin.data.input.embeddings.view, twin.metric(), {});
    const double scale = HeavyKernel(lengths, twin.metric(), pool).scale();

    const auto square = [&](Item a, Item b) {
      const double length = twin.length_of(a, b);
      return twin.metric() == Metric::l1 ? length : length * length;
    };
    std::vector<Item> all;
    for (Item item = 0; item < twin.data.n; ++item)
      if (!twin.data.is_excluded(item)) all.push_back(item);
    double below = 0;
    double not_above = 0;
    double pairs = 0;
    for (const Item a : all)
      for (const Item b : all) {
        if (square(a, b) == 0) continue;
        ++pairs;
        below += square(a, b) < scale * (1 - 1e-12) ? 1 : 0;
        not_above += square(a, b) <= scale * (1 + 1e-12) ? 1 : 0;
      }
    ASSERT_LE(below, 0.6 * pairs);
    ASSERT_GE(not_above, 0.4 * pairs);

    const auto kernel = [&](Item a, Item b) { return 1 / (1 + square(a, b) / scale); };
    // The discrepancy's square, without the part that no choice changes; times (number chosen)^2, so that the
    // tolerance is one of sums of kernels.
    const auto value = [&](Item item, std::vector<Item> chosen) {
      chosen.push_back(item);
      double own = 0;
      double mixed = 0;
      for (const Item a : chosen) {
        for (const Item b : chosen) own += kernel(a, b);
        for (const Item b : all) mixed += kernel(a, b);
      }
      return 2 * mixed * static_cast<double>(chosen.size()) / static_cast<double>(all.size()) - own;
    };
    twin.expect_greedy(value, 1e-5);
  });
}

TEST(spread_strategies_property, dedup_takes_what_is_like_nothing_taken_and_then_the_rest) {
  for_seeds(300, [](std::uint64_t seed) {
    testing::StrategyData data(seed, 45);
    const TwinCase twin(data, "dedup", seed, [](SelectOptions& options) {
      options.special.similarity = std::array{0.0, 0.3, 0.8, 0.95, 1.0}[options.seed % 5];
    });
    testing::ClassRoom room(twin.data, twin.selection);
    const std::vector<double>& u = twin.data.input.predictions.margin;
    std::vector<Item> order;
    for (Item item = 0; item < twin.data.n; ++item)
      if (twin.data.is_candidate(item)) order.push_back(item);
    std::stable_sort(order.begin(), order.end(), [&](Item a, Item b) { return u[a] > u[b]; });
    std::vector<Item> expected;
    const auto go_through = [&](bool duplicates_too) {
      for (const Item item : order) {
        if (expected.size() == twin.picks().size() || !room.admits(item)) continue;
        if (std::count(expected.begin(), expected.end(), item) != 0) continue;
        bool duplicate = false;
        std::vector<Item> kept = twin.data.input.labelled;
        kept.insert(kept.end(), expected.begin(), expected.end());
        for (const Item other : kept)
          duplicate = duplicate ||
                      twin.graph().similarity(stored_dissimilarity(twin.dissimilarity_of(item, other))) >=
                          twin.options.special.similarity;
        if (duplicate && !duplicates_too) continue;
        expected.push_back(item);
        room.take(item);
      }
    };
    go_through(false);
    go_through(true);
    ASSERT_EQ(twin.picks(), expected);
  });
}

}  // namespace
}  // namespace pith
