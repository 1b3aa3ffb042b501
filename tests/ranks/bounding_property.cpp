#include <gtest/gtest.h>

#include <bit>

#include "constraint/cap_tracker.h"
#include "ranks/bounding.h"
#include "ranks/rank_greedy.h"
#include "ranks/thread_communicator.h"
#include "support/rank_instances.h"

namespace pith {
namespace {

using testing::Instance;
using testing::items_of;
using testing::random_shared_instance;
using testing::rows_of;

const Run one_thread{.threads = 1, .progress = {}, .cancelled = nullptr};

struct Both {
  BoundingResult bounding;
  std::vector<Pick> exact;
};

Both run_both(const Instance& instance, const Balance& balance, int size, int partitions, int rounds) {
  Both both;
  run_ranks(size, [&](Communicator& ranks) {
    const RowBlocks blocks(instance.graph.size(), ranks.size());
    const RankScene::Sources sources{.predictions = instance.predictions,
                                     .scores = instance.scores,
                                     .options = instance.weights,
                                     .run = one_thread};
    const RankScene scene(ranks, blocks, rows_of(instance.graph, blocks, ranks.rank()), instance.graph.info(),
                          sources);
    BoundingResult found = run_bounding({.ranks = ranks,
                                         .scene = scene,
                                         .sources = sources,
                                         .balance = balance,
                                         .pool = instance.pool,
                                         .budget = instance.budget,
                                         .seed = 5,
                                         .partitions = partitions,
                                         .rounds = rounds,
                                         .run = one_thread});
    std::vector<Pick> exact = run_greedy_across({.ranks = ranks,
                                                 .scene = scene,
                                                 .balance = balance,
                                                 .pool = instance.pool,
                                                 .budget = instance.budget,
                                                 .run = one_thread});
    if (ranks.is_first()) both = {std::move(found), std::move(exact)};
  });
  return both;
}

double value_beyond(const Instance& instance, const Objective& objective, std::vector<Item> set) {
  const double labelled = objective.value(instance.pool.labelled);
  set.insert(set.end(), instance.pool.labelled.begin(), instance.pool.labelled.end());
  return objective.value(set) - labelled;
}

TEST(bounding_property, keeps_to_pool_caps_and_budget_and_ranks_do_not_matter) {
  double worst = 1;
  double sum = 0;
  constexpr std::uint64_t instances = 40;
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_shared_instance(seed, 10, 80, false, 0.1);
    const Balance balance = instance.balance();
    const Both both = run_both(instance, balance, 1 + static_cast<int>(seed % 5), 3, 4);
    CapTracker caps(balance);
    std::vector<std::uint8_t> seen(instance.graph.size(), 0);
    for (const Pick& pick : both.bounding.picks) {
      ASSERT_EQ(instance.pool.state[pick.item], Pool::State::candidate);
      ASSERT_EQ(seen[pick.item]++, 0);
      ASSERT_TRUE(caps.admits(pick.item));
      caps.take(pick.item);
    }
    ASSERT_LE(static_cast<std::int64_t>(both.bounding.picks.size()), instance.budget);
    // Under caps of one kind a greedy that is stuck has as many as there can be.
    if (!balance.classes.active || !balance.boundaries.active) {
      ASSERT_EQ(both.bounding.picks.size(), both.exact.size());
    }
    const Both other = run_both(instance, balance, 2, 3, 4);
    ASSERT_EQ(items_of(both.bounding.picks), items_of(other.bounding.picks));
    const Objective objective = instance.objective();
    const double exact = value_beyond(instance, objective, items_of(both.exact));
    const double ratio =
        exact > 0 ? value_beyond(instance, objective, items_of(both.bounding.picks)) / exact : 1;
    worst = std::min(worst, ratio);
    sum += ratio;
  }
  EXPECT_GT(worst, 0.3);
  EXPECT_GT(sum / instances, 0.9);
}

/// Wherever f is uncertainty and diversity.
TEST(bounding_property, what_bounds_include_is_in_a_best_set) {
  std::uint64_t included = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Instance instance = random_shared_instance(seed, 4, 11, true, 0.25);
    instance.kind = BalanceKind::none;
    instance.weights.terms = {{"uncertainty", 2}, {"diversity", seed % 3 == 0 ? 0.0 : 0.25}};
    const Balance balance = instance.balance();
    const Objective objective = instance.objective();
    const Both both = run_both(instance, balance, 2, 2, 1);
    included += both.bounding.included;
    const std::vector<Item> picked = items_of(both.bounding.picks);
    const std::vector<Item> in(picked.begin(),
                               picked.begin() + static_cast<std::ptrdiff_t>(both.bounding.included));
    double best = 0;
    double best_with = 0;
    for (std::uint32_t mask = 0; mask < 1U << instance.graph.size(); ++mask) {
      if (std::popcount(mask) > instance.budget) continue;
      const std::vector<Item> set = items_of(mask);
      if (!std::all_of(set.begin(), set.end(),
                       [&](Item item) { return instance.pool.state[item] == Pool::State::candidate; }))
        continue;
      const double value = value_beyond(instance, objective, set);
      best = std::max(best, value);
      if (std::all_of(in.begin(), in.end(), [&](Item item) { return (mask >> item & 1U) != 0; }))
        best_with = std::max(best_with, value);
    }
    ASSERT_EQ(best, best_with);
  }
  EXPECT_GT(included, 100U);
}

}  // namespace
}  // namespace pith
