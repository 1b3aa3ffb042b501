#include "graph/share_interval.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace pith {
namespace {

using Found = std::vector<std::uint64_t>;

TEST(share_interval, of_all_found_is_a_power_of_the_error) {
  // Bets of stake s win (1 + s (1/m - 1)) each time; at the end of the interval they have won 40 in all.
  const auto all = estimate_recall(Found{0, 10}, 0.05);
  EXPECT_EQ(all.recall, 1);
  EXPECT_EQ(all.high, 1);
  EXPECT_GT(all.low, 0.55);
  EXPECT_LT(all.low, 0.6915);  // (0.025)^(1/10), which no interval for shares of 0 and 1 exceeds
}

TEST(share_interval, mirrors_itself) {
  const auto some = estimate_recall(Found{3, 0, 40, 7}, 0.05);
  const auto mirrored = estimate_recall(Found{7, 40, 0, 3}, 0.05);
  EXPECT_NEAR(some.recall, 1 - mirrored.recall, 1e-12);
  EXPECT_NEAR(some.low, 1 - mirrored.high, 1e-12);
  EXPECT_NEAR(some.high, 1 - mirrored.low, 1e-12);
}

TEST(share_interval, holds_the_mean_of_the_sample_and_shrinks_with_it) {
  double before = 1;
  for (const std::uint64_t times : {1U, 4U, 16U, 64U}) {
    const auto found = estimate_recall(Found{times, 2 * times, 3 * times, 24 * times}, 0.05);
    EXPECT_LT(found.low, found.recall);
    EXPECT_GT(found.high, found.recall);
    EXPECT_LT(found.high - found.low, before);
    before = found.high - found.low;
  }
}

TEST(share_interval, knows_nothing_from_nothing) {
  const auto nothing = estimate_recall(Found{0, 0, 0}, 0.05);
  EXPECT_EQ(nothing.low, 0);
  EXPECT_EQ(nothing.high, 1);
  EXPECT_EQ(estimate_recall(Found{9, 0, 0}, 0.05).low, 0);
}

/// Samples without repeats from populations of which the mean is known.
TEST(share_interval, misses_the_truth_no_more_often_than_said) {
  std::mt19937_64 rng(7);
  for (const auto& [often, sampled] : {std::pair{0.002, 500}, {0.02, 400}, {0.3, 100}, {0.5, 30}})
    for (const bool together : {false, true}) {
      // Neighbours are missed one by one, or all of an item at once.
      std::vector<std::size_t> population(4000);
      std::binomial_distribution<int> one_by_one(10, often);
      std::bernoulli_distribution all(often);
      double mean = 0;
      for (auto& found : population) {
        found = together ? (all(rng) ? 0 : 10) : static_cast<std::size_t>(10 - one_by_one(rng));
        mean += static_cast<double>(found) / 10 / 4000;
      }
      int missed = 0;
      const int repeats = 1000;
      for (int repeat = 0; repeat < repeats; ++repeat) {
        Found found(11, 0);
        for (int at = 0; at < sampled; ++at) {
          std::swap(population[static_cast<std::size_t>(at)],
                    population[static_cast<std::size_t>(at) + rng() % (4000 - static_cast<std::size_t>(at))]);
          ++found[population[static_cast<std::size_t>(at)]];
        }
        const auto estimate = estimate_recall(found, 0.05);
        missed += mean < estimate.low || mean > estimate.high ? 1 : 0;
      }
      EXPECT_LE(missed, 0.05 * repeats) << often << (together ? " together" : " one by one");
    }
}

/// What it is for: Clopper and Pearson, for whom every item is all or nothing, would say 0.974 here.
TEST(share_interval, is_narrow_where_misses_are_spread) {
  EXPECT_GT(estimate_recall(Found{0, 0, 0, 0, 0, 0, 0, 0, 0, 40, 360}, 0.05).low, 0.978);
}

}  // namespace
}  // namespace pith
