#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "constraint/cap_tracker.h"
#include "constraint/feasibility.h"
#include "pipeline/certificate.h"
#include "strategy/augment.h"
#include "strategy/greedy.h"
#include "support/instances.h"

namespace pith {
namespace {

using testing::Instance;
using testing::items_of;
using testing::random_instance;

constexpr std::uint64_t instances = 2000;

/// The greedy as one would say it: look at everyone, take the best that fits, ties to the lower index.
std::vector<Pick> naive_greedy(const Instance& instance, const Objective& objective, const Balance& balance) {
  ObjectiveState state(objective);
  for (const Item item : instance.pool.labelled) state.add(item);
  CapTracker caps(balance);
  std::vector<Pick> picks;
  while (static_cast<std::int64_t>(picks.size()) < instance.budget) {
    std::optional<Item> best;
    for (Item item = 0; item < instance.graph.size(); ++item) {
      if (instance.pool.state[item] != Pool::State::candidate || state.set().contains(item)) continue;
      if (!caps.admits(item)) continue;
      if (!best || state.gain(item) > state.gain(*best)) best = item;
    }
    if (!best) break;
    picks.push_back({.item = *best, .score = state.gain(*best)});
    state.add(*best);
    caps.take(*best);
  }
  return picks;
}

bool fits(const Balance& balance, const Pool& pool, const std::vector<Item>& set) {
  CapTracker caps(balance);
  for (const Item item : set) {
    if (pool.state[item] != Pool::State::candidate || !caps.admits(item)) return false;
    caps.take(item);
  }
  return true;
}

/// f beyond the labelled items.
double value_beyond(const Instance& instance, const Objective& objective, std::vector<Item> set) {
  const double labelled = objective.value(instance.pool.labelled);
  set.insert(set.end(), instance.pool.labelled.begin(), instance.pool.labelled.end());
  return objective.value(set) - labelled;
}

/// The best feasible set of at most `most` items, by trying them all; and the largest feasible size.
struct BruteForce {
  double best = 0;
  std::int64_t largest = 0;

  BruteForce(const Instance& instance, const Objective& objective, const Balance& balance,
             std::int64_t most) {
    for (std::uint32_t mask = 0; mask < 1U << instance.graph.size(); ++mask) {
      const std::int64_t size = std::popcount(mask);
      if (size > most && size <= largest) continue;
      const std::vector<Item> set = items_of(mask);
      if (!fits(balance, instance.pool, set)) continue;
      largest = std::max(largest, size);
      if (size <= most) best = std::max(best, value_beyond(instance, objective, set));
    }
  }
};

/// Greedy, then augmentation, as the strategies do it.
std::vector<Pick> choose(const Instance& instance, const Objective& objective, const Balance& balance) {
  ObjectiveOracle oracle(objective, instance.graph);
  std::vector<Pick> picks = run_greedy(oracle, balance, instance.pool, instance.budget, {});
  augment(picks, oracle, balance, instance.pool, instance.budget, {});
  return picks;
}

double upper_bound(const Instance& instance, const Objective& objective, const Balance& balance,
                   const std::vector<Pick>& picks) {
  const Run run;
  ObjectiveState state(objective);
  for (const Item item : instance.pool.labelled) state.add(item);
  UpperBound bound(objective, state, balance, instance.pool, static_cast<std::int64_t>(picks.size()), run);
  double value = 0;
  double least = 0;
  bound.probe(state, value, least, run);
  for (const Pick& pick : picks) {
    value += state.gain(pick.item);
    least += objective.least_gain(pick.item);
    state.add(pick.item);
    bound.probe(state, value, least, run);
  }
  bound.refine(instance.graph, value, 20, run);
  return bound.value();
}

TEST(greedy_property, lazy_is_naive_pick_by_pick) {
  for (std::uint64_t seed = 0; seed < 2 * instances; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_instance(seed, 1, 40, seed % 2 == 0);
    const Objective objective = instance.objective();
    const Balance balance = instance.balance();
    ObjectiveOracle oracle(objective, instance.graph);
    const auto lazy = run_greedy(oracle, balance, instance.pool, instance.budget, {});
    const auto naive = naive_greedy(instance, objective, balance);
    ASSERT_EQ(items_of(lazy), items_of(naive));
    for (std::size_t at = 0; at < lazy.size(); ++at) ASSERT_EQ(lazy[at].score, naive[at].score);
    for (std::size_t at = 1; at < lazy.size(); ++at) ASSERT_LE(lazy[at].score, lazy[at - 1].score);
  }
}

TEST(greedy_property, a_prefix_is_the_answer_for_a_smaller_budget) {
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_instance(seed, 2, 30, true);
    const Objective objective = instance.objective();
    const Balance balance = instance.balance();
    ObjectiveOracle whole_oracle(objective, instance.graph);
    const auto whole = items_of(run_greedy(whole_oracle, balance, instance.pool, instance.budget, {}));
    const std::int64_t smaller = instance.budget / 2;
    ObjectiveOracle part_oracle(objective, instance.graph);
    const auto part = items_of(run_greedy(part_oracle, balance, instance.pool, smaller, {}));
    ASSERT_LE(part.size(), whole.size());
    ASSERT_TRUE(std::equal(part.begin(), part.end(), whole.begin()));
  }
}

TEST(greedy_property, within_a_third_of_the_best_and_certified) {
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_instance(seed, 1, seed % 50 == 0 ? 16 : 10, false);
    const Objective objective = instance.objective();
    const Balance balance = instance.balance();
    ObjectiveOracle oracle(objective, instance.graph);
    const auto greedy = run_greedy(oracle, balance, instance.pool, instance.budget, {});
    const BruteForce brute(instance, objective, balance, instance.budget);
    const double value = value_beyond(instance, objective, items_of(greedy));
    ASSERT_GE(value + 1e-12, brute.best / 3);

    const auto picks = choose(instance, objective, balance);
    ASSERT_EQ(static_cast<std::int64_t>(picks.size()), std::min(instance.budget, brute.largest));
    ASSERT_GE(upper_bound(instance, objective, balance, picks),
              BruteForce(instance, objective, balance, static_cast<std::int64_t>(picks.size())).best - 1e-12);
  }
}

TEST(greedy_property, exactly_as_many_as_feasible_and_never_over_a_cap) {
  std::int64_t augmented = 0;
  for (std::uint64_t seed = 0; seed < 2 * instances; ++seed) {
    SCOPED_TRACE(seed);
    Instance instance = random_instance(seed, 4, 40, true);
    instance.kind = BalanceKind::both;
    const Objective objective = instance.objective();
    const Balance balance = instance.balance();
    const auto picks = choose(instance, objective, balance);
    const std::int64_t feasible = feasible_size(balance, count_cells(balance, instance.pool));
    ASSERT_EQ(static_cast<std::int64_t>(picks.size()), std::min(instance.budget, feasible));
    ASSERT_TRUE(fits(balance, instance.pool, items_of(picks)));
    const auto first_added =
        std::find_if(picks.begin(), picks.end(), [](const Pick& p) { return p.augmented; });
    ASSERT_TRUE(std::all_of(first_added, picks.end(), [](const Pick& p) { return p.augmented; }));
    augmented += picks.end() - first_added;
  }
  EXPECT_GT(augmented, 100) << "the instances must exercise augmentation";
}

TEST(greedy_property, relaxed_caps_admit_the_whole_budget) {
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_instance(seed, 4, 40, false);
    const Objective objective = instance.objective();
    Balance balance = instance.balance();
    relax_caps(balance, count_cells(balance, instance.pool), instance.budget);
    ASSERT_EQ(static_cast<std::int64_t>(choose(instance, objective, balance).size()), instance.budget);
  }
}

TEST(greedy_property, certificate_is_never_looser_than_the_textbook_bound) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Instance instance = random_instance(seed, 2, 20, false);
    instance.kind = BalanceKind::none;
    const Objective objective = instance.objective();
    const Balance balance = instance.balance();
    const auto picks = choose(instance, objective, balance);
    ObjectiveState state(objective);
    for (const Item item : instance.pool.labelled) state.add(item);
    double value = 0;
    double textbook = std::numeric_limits<double>::infinity();
    for (std::size_t prefix = 0; prefix <= picks.size(); ++prefix) {
      std::vector<double> gains;
      for (Item item = 0; item < instance.graph.size(); ++item)
        if (instance.pool.state[item] == Pool::State::candidate && !state.set().contains(item))
          gains.push_back(state.gain(item));
      std::sort(gains.rbegin(), gains.rend());
      gains.resize(std::min(gains.size(), picks.size()));
      textbook = std::min(textbook, value + std::accumulate(gains.begin(), gains.end(), 0.0));
      if (prefix == picks.size()) break;
      value += state.gain(picks[prefix].item);
      state.add(picks[prefix].item);
    }
    ASSERT_LE(upper_bound(instance, objective, balance, picks), textbook * (1 + 1e-9));
  }
}

}  // namespace
}  // namespace pith
