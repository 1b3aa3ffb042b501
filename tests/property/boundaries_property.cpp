#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <numeric>
#include <set>

#include "constraint/cap_tracker.h"
#include "constraint/caps.h"
#include "constraint/feasibility.h"
#include "pipeline/certificate.h"
#include "pith/pith.h"
#include "strategy/augment.h"
#include "strategy/registry.h"
#include "support/instances.h"
#include "support/runs.h"

// Items that belong to several boundaries: who belongs where, what fits, and what may be said about it.
namespace pith {
namespace {

using testing::Instance;
using testing::items_of;
using testing::random_instance;
using testing::with_threads;

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// Probabilities in eighths, so that classes tie often.
std::vector<float> tied_probabilities(Rng& rng, std::size_t n, std::size_t classes) {
  std::vector<float> probs(n * classes, 0.0F);
  for (std::size_t item = 0; item < n; ++item)
    for (int part = 0; part < 8; ++part) probs[item * classes + rng.below(classes)] += 0.125F;
  return probs;
}

/// Classes of a row from the best down, ties to the lower.
std::vector<std::uint32_t> order_of(const float* row, std::size_t classes) {
  std::vector<std::uint32_t> order(classes);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return row[a] > row[b]; });
  return order;
}

TEST(boundaries_property, an_item_belongs_to_its_best_class_with_the_next_best) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const std::size_t n = 1 + rng.below(20);
    // Many classes go another way than few.
    const std::size_t classes = seed % 50 == 0 ? 300 : 2 + rng.below(5);
    const auto wanted = static_cast<std::uint32_t>(1 + rng.below(4));
    const std::vector<float> probs = tied_probabilities(rng, n, classes);
    const Predictions predictions = read_predictions(Matrix::of_floats(probs, n, classes, "probs"), false,
                                                     UncertaintyKind::margin, with_threads(1), wanted);
    BalanceOptions options;
    options.boundaries_per_item = wanted;
    options.boundary_slack = 1;
    const auto budget = static_cast<std::int64_t>(1 + rng.below(n));
    const Balance balance = make_balance(predictions, Pool::of_all(n), budget, BalanceKind::both, options);
    std::map<Pair, std::int64_t> sizes;
    std::int64_t on_some = 0;
    for (Item item = 0; item < n; ++item) {
      const float* row = probs.data() + item * classes;
      const auto order = order_of(row, classes);
      std::set<Pair> expected;
      for (std::size_t place = 1; place <= wanted && place < classes; ++place) {
        const double margin =
            1 - (static_cast<double>(row[order[0]]) - static_cast<double>(row[order[place]]));
        if (margin > options.tau) expected.insert(std::minmax(order[0], order[place]));
      }
      std::set<Pair> found;
      balance.boundaries.for_each_group(
          item, [&](std::uint32_t group) { found.insert(balance.boundary_pairs[group]); });
      ASSERT_EQ(found, expected);
      for (const Pair& pair : expected) ++sizes[pair];
      on_some += expected.empty() ? 0 : 1;
    }
    ASSERT_EQ(balance.boundary_pairs.size(), sizes.size());
    std::int64_t places = 0;
    for (const auto& [pair, size] : sizes) places += size;
    const std::int64_t share = on_some == 0 ? 0 : (budget * places + on_some - 1) / on_some;
    std::int64_t level = 0;
    for (std::int64_t filled = 0; filled < std::min(share, places);) {
      ++level;
      filled = 0;
      for (const auto& [pair, size] : sizes) filled += std::min(size, level);
    }
    for (std::size_t group = 0; group < sizes.size(); ++group) {
      ASSERT_EQ(balance.boundaries.available[group], sizes.at(balance.boundary_pairs[group]));
      ASSERT_EQ(balance.boundaries.cap[group], level);
    }
  }
}

/// A random instance whose items have up to three boundaries.
Instance with_boundaries(std::uint64_t seed, std::size_t most_items) {
  Instance instance = random_instance(seed, 1, most_items, seed % 2 == 0);
  Rng rng(seed + 5'000'000);
  Predictions& predictions = instance.predictions;
  predictions.further = 2;
  for (std::size_t item = 0; item < predictions.size(); ++item) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t label = 0; label < predictions.classes; ++label)
      if (label != predictions.best[item] && label != predictions.second[item]) others.push_back(label);
    double margin = predictions.margin[item];
    for (std::size_t place = 0; place < 2; ++place) {
      margin *= static_cast<double>(rng.below(3)) / 2;
      predictions.further_class.push_back(place < others.size() ? others[place] : Predictions::no_class);
      predictions.further_margin.push_back(margin);
    }
  }
  instance.balance_options.boundaries_per_item = static_cast<std::uint32_t>(2 + rng.below(2));
  return instance;
}

/// Whether a set keeps to the caps, by counting.
bool fits(const Balance& balance, const Pool& pool, const std::vector<Item>& set) {
  std::map<std::uint32_t, std::int64_t> of_class;
  std::map<std::uint32_t, std::int64_t> of_boundary;
  for (const Item item : set) {
    if (pool.state[item] != Pool::State::candidate) return false;
    ++of_class[balance.classes.group_of[item]];
    balance.boundaries.for_each_group(item, [&](std::uint32_t group) { ++of_boundary[group]; });
  }
  for (const auto& [group, count] : of_class)
    if (balance.classes.active && count > balance.classes.room(group)) return false;
  for (const auto& [group, count] : of_boundary)
    if (balance.boundaries.active && count > balance.boundaries.room(group)) return false;
  return true;
}

TEST(boundaries_property, lazy_is_naive_and_what_is_claimed_holds) {
  std::size_t short_of_best = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    const bool brute = seed % 3 != 0;
    const Instance instance = with_boundaries(seed, brute ? 10 : 30);
    const Objective objective = instance.objective();
    const Balance balance = instance.balance();
    ObjectiveOracle oracle(objective, instance.graph);
    std::vector<Pick> picks = run_greedy(oracle, balance, instance.pool, instance.budget, {});

    std::vector<Item> naive;
    ObjectiveState state(objective);
    for (const Item item : instance.pool.labelled) state.add(item);
    while (static_cast<std::int64_t>(naive.size()) < instance.budget) {
      std::optional<Item> best;
      for (Item item = 0; item < instance.graph.size(); ++item) {
        std::vector<Item> with = naive;
        with.push_back(item);
        if (state.set().contains(item) || !fits(balance, instance.pool, with)) continue;
        if (!best || state.gain(item) > state.gain(*best)) best = item;
      }
      if (!best) break;
      naive.push_back(*best);
      state.add(*best);
    }
    ASSERT_EQ(picks.size(), naive.size());
    double value = 0;
    for (std::size_t at = 0; at < naive.size(); ++at) {
      ASSERT_EQ(picks[at].item, naive[at]);
      value += picks[at].score;
    }
    if (!brute) continue;

    const double labelled = objective.value(instance.pool.labelled);
    double best = 0;
    double best_of_size = 0;
    std::int64_t largest = 0;
    for (std::uint32_t mask = 0; mask < 1U << instance.graph.size(); ++mask) {
      std::vector<Item> set = items_of(mask);
      if (!fits(balance, instance.pool, set)) continue;
      largest = std::max<std::int64_t>(largest, std::popcount(mask));
      set.insert(set.end(), instance.pool.labelled.begin(), instance.pool.labelled.end());
      const double f = objective.value(set) - labelled;
      if (std::popcount(mask) <= instance.budget) best = std::max(best, f);
      if (static_cast<std::size_t>(std::popcount(mask)) <= picks.size())
        best_of_size = std::max(best_of_size, f);
    }
    const double m = balance.boundaries.active ? instance.balance_options.boundaries_per_item : 0;
    const double p = m + (balance.classes.active ? 1 : 0);
    ASSERT_GE(value * (1 + std::max(p, 1.0)) + 1e-12, best);
    const std::int64_t goal = std::min(largest, instance.budget);
    ASSERT_GE(static_cast<double>(picks.size()) * std::max(p, 1.0), static_cast<double>(goal));
    short_of_best += static_cast<std::int64_t>(picks.size()) < goal ? 1 : 0;
    ASSERT_GE(feasible_size(balance, count_cells(balance, instance.pool)), largest);
    const std::size_t before = picks.size();
    augment(picks, oracle, balance, instance.pool, instance.budget, {});
    if (balance.classes.active && balance.boundaries.active) {
      ASSERT_EQ(picks.size(), before);
    }

    const pith::Run run;
    ObjectiveState none(objective);
    for (const Item item : instance.pool.labelled) none.add(item);
    UpperBound bound(objective, none, balance, instance.pool, static_cast<std::int64_t>(naive.size()), run);
    bound.probe(none, 0, 0, run);
    bound.refine(instance.graph, value, 20, run);
    ASSERT_GE(bound.value(), best_of_size - 1e-12);
  }
  EXPECT_GT(short_of_best, 5U) << "the instances must show that a greedy can end short";
}

/// All strategies through select(): caps kept, the budget met where caps may be raised, any thread count.
TEST(boundaries_property, select_raises_stops_or_refuses) {
  std::size_t raised = 0;
  std::size_t stopped = 0;
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    Rng rng(seed);
    const std::size_t n = 5 + rng.below(40);
    const std::size_t classes = 3 + rng.below(3);
    std::vector<float> rows;
    for (std::size_t at = 0; at < 2 * n; ++at) rows.push_back(static_cast<float>(rng.below(5)) - 1);
    SelectInput input;
    input.embeddings = Matrix::of_floats(rows, n, 2, "rows");
    for (int model = 0; model < 2; ++model)
      input.probabilities.members.push_back(
          Matrix::of_floats(tied_probabilities(rng, n, classes), n, classes, "probs"));
    input.predictions = read_predictions(input.probabilities, UncertaintyKind::margin, with_threads(1), 3);
    SelectOptions options;
    options.strategy = strategies()[seed % strategies().size()].name;
    if (options.strategy == "entropy" || options.strategy == "least-confidence") options.strategy = "margin";
    SCOPED_TRACE(options.strategy + " " + std::to_string(seed));
    options.balance.balance = BalanceKind::both;
    options.balance.boundaries_per_item = static_cast<std::uint32_t>(2 + rng.below(2));
    options.balance.boundary_cap = FixedCap{static_cast<std::int64_t>(1 + rng.below(3))};
    const auto budget = static_cast<std::size_t>(1 + rng.below(n));
    options.budget.amount = static_cast<std::int64_t>(budget);
    const Selection one = select(input, options, with_threads(1));
    ASSERT_EQ(one.picks.size(), budget);
    ASSERT_FALSE(one.feasible_size_exact);
    raised += one.boundary_factor > 1 ? 1 : 0;
    for (const GroupRow& row : one.boundaries) ASSERT_LE(row.selected, row.cap);
    for (const GroupRow& row : one.class_groups) ASSERT_LE(row.selected, row.cap);
    for (const unsigned threads : {2U, 4U}) {
      const Selection many = select(input, options, with_threads(threads));
      ASSERT_EQ(many.picks.size(), one.picks.size());
      for (std::size_t at = 0; at < budget; ++at) ASSERT_EQ(many.picks[at].item, one.picks[at].item);
    }

    options.balance.shortfall = Shortfall::stop;
    const Selection fewer = select(input, options, with_threads(2));
    ASSERT_FALSE(fewer.relaxed);
    for (const GroupRow& row : fewer.boundaries) ASSERT_LE(row.selected, row.cap_requested);
    if (fewer.picks.size() == budget) continue;
    ++stopped;
    options.balance.shortfall = Shortfall::error;
    try {
      static_cast<void>(select(input, options));
      FAIL() << "must refuse";
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::infeasible);
      ++refused;
    }
  }
  EXPECT_GT(raised, 20U);
  EXPECT_GT(stopped, 20U);
  EXPECT_EQ(refused, stopped);
}

TEST(boundaries_property, predictions_read_for_fewer_are_refused) {
  SelectInput input;
  input.embeddings = Matrix::of_floats({0, 1, 2, 3}, 4, 1, "rows");
  input.predictions = read_predictions(
      Matrix::of_floats({0.5F, 0.3F, 0.2F, 0.2F, 0.3F, 0.5F, 0.5F, 0.3F, 0.2F, 0.2F, 0.3F, 0.5F}, 4, 3,
                        "probs"),
      false, UncertaintyKind::margin);
  SelectOptions options;
  options.budget.amount = std::int64_t{2};
  options.balance.boundaries_per_item = 2;
  try {
    static_cast<void>(select(input, options));
    FAIL() << "must refuse";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_option);
    EXPECT_NE(std::string(error.what()).find("--boundaries-per-item"), std::string::npos);
  }
}

}  // namespace
}  // namespace pith
