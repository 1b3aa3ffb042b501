#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

#include "constraint/cap_tracker.h"
#include "pipeline/certificate.h"
#include "strategy/optimizers.h"
#include "strategy/within_cost.h"
#include "support/instances.h"
#include "support/runs.h"

namespace pith {
namespace {

using testing::Instance;
using testing::items_of;
using testing::random_instance;
using testing::with_threads;

constexpr std::uint64_t instances = 2000;

struct Case {
  Instance instance;
  Objective objective = instance.objective();
  Balance balance = instance.balance();

  [[nodiscard]] std::vector<Pick> run(const GreedyOptions& options, std::uint64_t seed = 0,
                                      unsigned threads = 1) const {
    const pith::Run how = with_threads(threads);
    ObjectiveOracle oracle(objective, instance.graph, how);
    return run_optimizer(
        {.oracle = oracle, .balance = balance, .pool = instance.pool, .budget = instance.budget, .run = how},
        options, seed);
  }
};

void expect_same(const std::vector<Pick>& a, const std::vector<Pick>& b) {
  ASSERT_EQ(items_of(a), items_of(b));
  for (std::size_t at = 0; at < a.size(); ++at) ASSERT_EQ(a[at].score, b[at].score);
}

/// Distinct candidates within the caps, and so many that no other fits.
void expect_maximal(const Case& one, const std::vector<Pick>& picks) {
  CapTracker caps(one.balance);
  std::set<Item> chosen;
  for (const Pick& pick : picks) {
    ASSERT_EQ(one.instance.pool.state[pick.item], Pool::State::candidate);
    ASSERT_TRUE(chosen.insert(pick.item).second);
    ASSERT_TRUE(caps.admits(pick.item));
    caps.take(pick.item);
  }
  if (static_cast<std::int64_t>(picks.size()) == one.instance.budget) return;
  for (Item item = 0; item < one.instance.graph.size(); ++item)
    ASSERT_TRUE(one.instance.pool.state[item] != Pool::State::candidate || chosen.contains(item) ||
                !caps.admits(item));
}

TEST(optimizers_property, naive_is_lazy_pick_by_pick) {
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const Case one{random_instance(seed, 1, 40, seed % 2 == 0)};
    expect_same(one.run({.optimizer = Optimizer::naive}), one.run({.optimizer = Optimizer::lazy}));
  }
}

/// A sample of everybody is no sample.
TEST(optimizers_property, stochastic_with_a_tiny_epsilon_is_naive) {
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const Case one{random_instance(seed, 1, 40, true)};
    expect_same(one.run({.optimizer = Optimizer::stochastic, .stochastic_epsilon = 1e-300}, seed),
                one.run({.optimizer = Optimizer::lazy}));
  }
}

/// An objective's gains, and how many of them were asked for together.
class CountingOracle final : public Oracle {
 public:
  CountingOracle(const Objective& objective, const Graph& graph) : gains_(objective, graph) {}
  [[nodiscard]] double score(Item item) override { return gains_.score(item); }
  void score_all(std::span<const Item> items, std::span<double> out) override {
    asked.push_back(items.size());
    ASSERT_EQ(std::set<Item>(items.begin(), items.end()).size(), items.size()) << "somebody twice";
    gains_.score_all(items, out);
  }
  void add(Item item) override { gains_.add(item); }
  void remove(Item item) override { gains_.remove(item); }

  std::vector<std::size_t> asked;

 private:
  ObjectiveOracle gains_;
};

/// (n/k) ln(1/epsilon) before every pick, as far as there are so many left: what the guarantee rests on.
TEST(optimizers_property, stochastic_scores_a_sample_of_the_promised_size) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Case one{random_instance(seed, 1, 40, true)};
    one.balance.classes.active = false;
    one.balance.boundaries.active = false;
    const std::size_t candidates = one.instance.pool.candidates();
    const auto wanted = std::min<std::size_t>(candidates, static_cast<std::size_t>(one.instance.budget));
    const double epsilon = seed % 2 == 0 ? 0.1 : 0.4;
    CountingOracle oracle(one.objective, one.instance.graph);
    const std::vector<Pick> picks = run_stochastic_greedy({.oracle = oracle,
                                                           .balance = one.balance,
                                                           .pool = one.instance.pool,
                                                           .budget = one.instance.budget,
                                                           .run = {}},
                                                          epsilon, seed);
    ASSERT_EQ(picks.size(), wanted);
    std::vector<std::size_t> expected;
    for (std::size_t picked = 0; picked < wanted; ++picked) {
      const double sample =
          std::ceil(static_cast<double>(candidates) / static_cast<double>(wanted) * std::log(1 / epsilon));
      expected.push_back(std::min(candidates - picked, static_cast<std::size_t>(sample)));
    }
    ASSERT_EQ(oracle.asked, expected);
  }
}

TEST(optimizers_property, all_stay_within_the_caps_and_fill_them_for_any_thread_count) {
  std::size_t seeds_that_matter = 0;
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    const Case one{random_instance(seed, 1, 40, false)};
    for (const Optimizer optimizer : {Optimizer::naive, Optimizer::stochastic, Optimizer::threshold}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(optimizer)) + " " + std::to_string(seed));
      const GreedyOptions options{.optimizer = optimizer, .stochastic_epsilon = 0.5};
      const std::vector<Pick> picks = one.run(options, seed);
      expect_maximal(one, picks);
      for (const unsigned threads : {2U, 4U}) expect_same(one.run(options, seed, threads), picks);
      if (optimizer == Optimizer::stochastic && items_of(one.run(options, seed + 1)) != items_of(picks))
        ++seeds_that_matter;
    }
  }
  EXPECT_GT(seeds_that_matter, instances / 4) << "the seed must decide something";
}

/// The falling bar as one would say it: everybody is scored at every bar.
std::vector<Pick> slow_threshold(const Case& one, double epsilon) {
  const Instance& instance = one.instance;
  ObjectiveState state(one.objective);
  for (const Item item : instance.pool.labelled) state.add(item);
  CapTracker caps(one.balance);
  double largest = 0;
  for (Item item = 0; item < instance.graph.size(); ++item)
    if (instance.pool.state[item] == Pool::State::candidate) largest = std::max(largest, state.gain(item));
  const double least = epsilon / static_cast<double>(instance.pool.candidates()) * largest;
  std::vector<Pick> picks;
  for (double bar = largest;; bar *= 1 - epsilon) {
    if (bar <= least) bar = 0;
    for (Item item = 0; item < instance.graph.size(); ++item) {
      if (static_cast<std::int64_t>(picks.size()) == instance.budget) return picks;
      if (instance.pool.state[item] != Pool::State::candidate || state.set().contains(item)) continue;
      if (!caps.admits(item) || state.gain(item) < bar) continue;
      picks.push_back({.item = item, .score = state.gain(item)});
      state.add(item);
      caps.take(item);
    }
    if (bar == 0) return picks;
  }
}

TEST(optimizers_property, threshold_is_the_falling_bar_and_never_far_from_the_best) {
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const Case one{random_instance(seed, 1, 30, seed % 2 == 0)};
    if (one.instance.pool.candidates() == 0) continue;
    const double epsilon = seed % 3 == 0 ? 0.5 : 0.1;
    const std::vector<Pick> picks =
        one.run({.optimizer = Optimizer::threshold, .threshold_epsilon = epsilon});
    expect_same(picks, slow_threshold(one, epsilon));

    // Every pick has 1 - epsilon of the best gain there was, down to the last bar.
    ObjectiveState state(one.objective);
    for (const Item item : one.instance.pool.labelled) state.add(item);
    CapTracker caps(one.balance);
    double first = 0;
    for (const Pick& pick : picks) {
      double best = 0;
      for (Item item = 0; item < one.instance.graph.size(); ++item)
        if (one.instance.pool.state[item] == Pool::State::candidate && !state.set().contains(item) &&
            caps.admits(item))
          best = std::max(best, state.gain(item));
      first = std::max(first, best);
      const double tail = epsilon / static_cast<double>(one.instance.pool.candidates()) * first;
      ASSERT_GE(pick.score, (1 - epsilon) * best * (1 - 1e-12) - tail / (1 - epsilon));
      state.add(pick.item);
      caps.take(pick.item);
    }
  }
}

/// The best set of at most k items without caps, by trying them all.
double best_value(const Case& one) {
  const Instance& instance = one.instance;
  const double labelled = one.objective.value(instance.pool.labelled);
  double best = 0;
  for (std::uint32_t mask = 0; mask < 1U << instance.graph.size(); ++mask) {
    if (std::popcount(mask) > instance.budget) continue;
    std::vector<Item> set = items_of(mask);
    if (std::any_of(set.begin(), set.end(),
                    [&](Item item) { return instance.pool.state[item] != Pool::State::candidate; }))
      continue;
    set.insert(set.end(), instance.pool.labelled.begin(), instance.pool.labelled.end());
    best = std::max(best, one.objective.value(set) - labelled);
  }
  return best;
}

/// Among the smallest numbers a bar that falls by a share rounds back to itself.
TEST(optimizers_property, threshold_ends_where_gains_are_the_smallest_numbers) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Case c{random_instance(seed, 20, 40, false)};
    for (const double weight : {1e-322, 1e-318}) {
      c.instance.weights = ObjectiveOptions();
      c.instance.weights.lambda = {{weight, 0, 0}};
      c.objective = c.instance.objective();
      for (const double epsilon : {0.1, 1e-6})
        EXPECT_EQ(c.run({.optimizer = Optimizer::threshold, .threshold_epsilon = epsilon}).size(),
                  c.run({.optimizer = Optimizer::lazy}).size());
    }
  }
}

TEST(optimizers_property, without_caps_the_guarantees_hold) {
  const double promised = 1 - std::exp(-1.0) - 0.2;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    SCOPED_TRACE(seed);
    Case one{random_instance(seed, 1, 11, false)};
    one.balance.classes.active = one.balance.boundaries.active = false;
    const double best = best_value(one);
    const auto value = [&](const std::vector<Pick>& picks) {
      double sum = 0;
      for (const Pick& pick : picks) sum += pick.score;
      return sum;
    };
    ASSERT_GE(value(one.run({.optimizer = Optimizer::threshold, .threshold_epsilon = 0.2})) + 1e-12,
              promised * best);
    double mean = 0;
    constexpr int draws = 40;
    for (std::uint64_t draw = 0; draw < draws; ++draw)
      mean += value(one.run({.optimizer = Optimizer::stochastic, .stochastic_epsilon = 0.2}, draw)) / draws;
    ASSERT_GE(mean + 1e-12, promised * best);
  }
}

// --- Costs

std::vector<double> random_costs(std::uint64_t seed, std::size_t n) {
  Rng rng(seed + 17);
  std::vector<double> costs;
  for (std::size_t item = 0; item < n; ++item) costs.push_back(static_cast<double>(1 + rng.below(6)) / 2);
  return costs;
}

/// One greedy run as one would say it.
std::vector<Item> slow_cost_run(const Case& one, const std::vector<double>& costs, double money,
                                bool per_cost, double& value) {
  ObjectiveState state(one.objective);
  for (const Item item : one.instance.pool.labelled) state.add(item);
  std::vector<Item> picks;
  value = 0;
  double used = 0;
  while (true) {
    std::optional<Item> best;
    double best_score = 0;
    for (Item item = 0; item < one.instance.graph.size(); ++item) {
      if (one.instance.pool.state[item] != Pool::State::candidate || state.set().contains(item)) continue;
      if (used + costs[item] > money) continue;
      const double score = per_cost ? state.gain(item) / costs[item] : state.gain(item);
      if (!best || score > best_score) {
        best = item;
        best_score = score;
      }
    }
    if (!best) return picks;
    value += state.gain(*best);
    used += costs[*best];
    state.add(*best);
    picks.push_back(*best);
  }
}

TEST(optimizers_property, costs_are_met_by_the_better_of_two_runs_within_its_guarantee_and_certified) {
  std::size_t plain_better = 0;
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const pith::Run run = with_threads(1 + seed % 4);
    const bool brute = seed % 5 == 0;
    const Case one{random_instance(seed, 1, brute ? 10 : 30, seed % 2 == 0)};
    const std::vector<double> costs = random_costs(seed, one.instance.graph.size());
    // Costs are halves, so every other seed has sets that cost exactly what there is.
    const double money = static_cast<double>(seed % 23) / 2 + (seed % 2 == 0 ? 0.5 : 0.25);
    const CostTask task{.objective = one.objective,
                        .graph = one.instance.graph,
                        .pool = one.instance.pool,
                        .costs = costs,
                        .cost_budget = money,
                        .run = run};
    const std::vector<Item> picks = items_of(choose_within_cost(task));
    double plain = 0;
    double per_cost = 0;
    const auto by_gain = slow_cost_run(one, costs, money, false, plain);
    const auto by_ratio = slow_cost_run(one, costs, money, true, per_cost);
    ASSERT_EQ(picks, plain > per_cost ? by_gain : by_ratio);
    plain_better += plain > per_cost ? 1 : 0;
    if (!brute) continue;

    const double labelled = one.objective.value(one.instance.pool.labelled);
    double best = 0;
    for (std::uint32_t mask = 0; mask < 1U << one.instance.graph.size(); ++mask) {
      std::vector<Item> set = items_of(mask);
      double cost = 0;
      bool possible = true;
      for (const Item item : set) {
        cost += costs[item];
        possible = possible && one.instance.pool.state[item] == Pool::State::candidate;
      }
      if (!possible || cost > money) continue;
      set.insert(set.end(), one.instance.pool.labelled.begin(), one.instance.pool.labelled.end());
      best = std::max(best, one.objective.value(set) - labelled);
    }
    ASSERT_GE(std::max(plain, per_cost) + 1e-12, (1 - std::exp(-1.0)) / 2 * best);

    ObjectiveState state(one.objective);
    for (const Item item : one.instance.pool.labelled) state.add(item);
    UpperBound bound(one.objective, state, one.instance.pool, costs, money, run);
    double value = 0;
    double least = 0;
    bound.probe(state, value, least, run);
    for (const Item item : picks) {
      value += state.gain(item);
      least += one.objective.least_gain(item);
      state.add(item);
      bound.probe(state, value, least, run);
    }
    bound.refine(one.instance.graph, value, 20, run);
    ASSERT_GE(bound.value(), best - 1e-12);
  }
  EXPECT_GT(plain_better, 10U) << "both runs must win somewhere";
}

}  // namespace
}  // namespace pith
