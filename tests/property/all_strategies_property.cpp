#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "pith/error.h"
#include "strategy/registry.h"
#include "support/random_rows.h"
#include "support/runs.h"
#include "support/strategy_data.h"
#include "support/temp_dir.h"

// What users of other tools report, ruled out for every strategy in the registry:
//
//   duplicates in picks, labelled items picked again   expect_sound, in all tests below
//   gains that rise                                    scores_of_the_greedy_never_rise
//   endless loops on NaN                               what_is_no_number_is_refused
//   seeds ignored                                      seeds_are_honoured
//   first centre forgotten                             the_first_pick_stays, k_center_is_farthest_first
//   wanting 32 where 31 remain                         budget_of_everything_left, one_more_than_there_is_..
//   other picks on another machine                     any_budget_under_any_caps_for_any_thread_count
namespace pith {
namespace {

using testing::items_of;
using testing::StrategyData;
using testing::with_threads;

SelectOptions options_of(const Strategy& strategy, std::int64_t budget, std::uint64_t seed) {
  SelectOptions options;
  options.strategy = strategy.name;
  options.budget.amount = budget;
  options.seed = seed;
  options.graph.metric = static_cast<Metric>(seed % 3);
  return options;
}

/// As many distinct candidates as asked for, and numbers only where numbers are due.
void expect_sound(const StrategyData& data, const Selection& selection, std::size_t budget) {
  ASSERT_EQ(selection.picks.size(), budget);
  std::set<Item> seen;
  for (std::size_t rank = 0; rank < selection.picks.size(); ++rank) {
    const PickRow& row = selection.picks[rank];
    ASSERT_LT(row.item, data.n);
    ASSERT_TRUE(data.is_candidate(row.item)) << row.item;
    ASSERT_TRUE(seen.insert(row.item).second) << row.item;
    ASSERT_FALSE(std::isnan(row.score)) << row.item;
    // Infinity is what the first centre is away from no centre at all.
    ASSERT_TRUE(rank == 0 || std::isfinite(row.score)) << row.item;
    ASSERT_TRUE(std::isfinite(row.gain));
    ASSERT_TRUE(std::isfinite(row.uncertainty));
  }
  ASSERT_TRUE(std::isfinite(selection.objective.total));
}

void expect_sound_for_all(const StrategyData& data, std::int64_t budget, std::uint64_t seed,
                          BalanceKind balance = BalanceKind::none) {
  for (const Strategy& strategy : strategies()) {
    SCOPED_TRACE(std::string(strategy.name) + " " + std::to_string(seed));
    SelectOptions options = options_of(strategy, budget, seed);
    options.balance.balance = balance;
    ASSERT_NO_FATAL_FAILURE(
        expect_sound(data, select(data.input, options), static_cast<std::size_t>(budget)));
  }
}

TEST(all_strategies_property, budget_of_everything_left) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const StrategyData data(seed, 40);
    ASSERT_NO_FATAL_FAILURE(expect_sound_for_all(data, static_cast<std::int64_t>(data.candidates()), seed,
                                                 static_cast<BalanceKind>(seed / 3 % 4)));
  }
}

/// What a selection says of itself must add up.
void expect_accounts(const Selection& selection) {
  ASSERT_LE(selection.objective.total, selection.certificate.upper_bound);
  double gains = 0;
  std::int64_t represented = 0;
  for (const PickRow& row : selection.picks) {
    ASSERT_GE(row.gain, 0);
    ASSERT_GE(row.pair_penalty, 0);
    gains += row.gain;
    represented += row.represents;
  }
  ASSERT_NEAR(gains, selection.objective.total, 1e-9 * (1 + gains));
  ASSERT_EQ(represented, selection.represented);
  for (const auto* groups : {&selection.class_groups, &selection.boundaries})
    for (const GroupRow& row : *groups) {
      const bool active =
          groups == &selection.class_groups ? selection.class_caps_active : selection.boundary_caps_active;
      if (active && row.selected > 0) {
        ASSERT_LE(row.selected + row.labelled, row.cap);
      }
    }
}

void expect_same(const Selection& found, const Selection& expected) {
  ASSERT_EQ(items_of(found), items_of(expected));
  for (std::size_t rank = 0; rank < expected.picks.size(); ++rank)
    ASSERT_EQ(found.picks[rank].score, expected.picks[rank].score);
  ASSERT_EQ(found.certificate.upper_bound, expected.certificate.upper_bound);
  ASSERT_EQ(found.objective.total, expected.objective.total);
}

TEST(all_strategies_property, any_budget_under_any_caps_for_any_thread_count) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const StrategyData data(seed, seed % 20 == 0 ? 400 : 60);
    const std::size_t budget = 1 + 37 * seed % data.candidates();
    for (const Strategy& strategy : strategies()) {
      SCOPED_TRACE(std::string(strategy.name) + " " + std::to_string(seed));
      SelectOptions options = options_of(strategy, static_cast<std::int64_t>(budget), seed);
      options.balance.balance = static_cast<BalanceKind>(seed / 3 % 4);
      const Selection one = select(data.input, options, with_threads(1));
      ASSERT_NO_FATAL_FAILURE(expect_sound(data, one, budget));
      ASSERT_NO_FATAL_FAILURE(expect_accounts(one));
      for (const unsigned threads : {2U, 4U}) {
        SCOPED_TRACE(threads);
        ASSERT_NO_FATAL_FAILURE(expect_same(select(data.input, options, with_threads(threads)), one));
      }
    }
  }
}

TEST(all_strategies_property, one_item) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const StrategyData data(seed, 1);
    ASSERT_EQ(data.n, 1U);
    ASSERT_NO_FATAL_FAILURE(expect_sound_for_all(data, 1, seed));
  }
}

TEST(all_strategies_property, constant_and_zero_embeddings) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    StrategyData data(seed);
    data.use_rows(std::vector<float>(data.n * data.dimension, seed % 2 == 0 ? 0.0F : 0.3F));
    for (const std::size_t budget : {std::size_t{1}, (data.candidates() + 1) / 2, data.candidates()})
      ASSERT_NO_FATAL_FAILURE(expect_sound_for_all(data, static_cast<std::int64_t>(budget), seed));
  }
}

/// Rows from 1e-30 to 3e38: squares and sums of them must not end as infinity or as no number.
TEST(all_strategies_property, extreme_embeddings) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    StrategyData data(seed);
    data.use_rows(testing::random_rows(data.n, data.dimension, testing::RowStyle::extremes, seed));
    ASSERT_NO_FATAL_FAILURE(
        expect_sound_for_all(data, static_cast<std::int64_t>((data.candidates() + 1) / 2), seed));
  }
}

/// A seed must matter where a strategy draws, and must not where it does not.
TEST(all_strategies_property, seeds_are_honoured) {
  StrategyData data(77, 300);
  while (data.n < 100) data = StrategyData(data.n + 500, 300);
  for (const Strategy& strategy : strategies()) {
    SCOPED_TRACE(std::string(strategy.name));
    std::set<std::vector<Item>> different;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      SelectOptions options = options_of(strategy, 30, 0);
      options.seed = seed;
      different.insert(items_of(select(data.input, options)));
    }
    ASSERT_EQ(different.size() > 1, strategy.uses_seed);
  }
}

/// Strategies whose score is no gain that can only fall: draws (badge), distances of means (herding, mmd),
/// sums that grow with every pick (max-sum), and duplicates that follow at the end (dedup).
bool may_rise(std::string_view name) {
  return name == "badge" || name == "herding" || name == "mmd" || name == "max-sum" || name == "dedup";
}

TEST(all_strategies_property, scores_of_the_greedy_never_rise) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const StrategyData data(seed, 120);
    for (const Strategy& strategy : strategies()) {
      if (may_rise(strategy.name)) continue;
      SCOPED_TRACE(std::string(strategy.name) + " " + std::to_string(seed));
      SelectOptions options =
          options_of(strategy, static_cast<std::int64_t>((data.candidates() + 1) / 2), seed);
      options.balance.balance = BalanceKind::none;
      const Selection selection = select(data.input, options);
      for (std::size_t rank = 1; rank < selection.picks.size(); ++rank)
        ASSERT_LE(selection.picks[rank].score, selection.picks[rank - 1].score) << rank;
    }
  }
}

/// A larger budget keeps the first pick of a smaller one, where no caps, clusters or exchanges depend on it.
TEST(all_strategies_property, the_first_pick_stays) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    StrategyData data(seed, 80);
    data.input.labelled.clear();
    for (const Strategy& strategy : strategies()) {
      const std::string_view name = strategy.name;
      if (name == "k-medoids" || name == "typiclust" || name == "agglomerative" || name == "cluster-margin" ||
          name == "gist")
        continue;
      SCOPED_TRACE(std::string(name) + " " + std::to_string(seed));
      const auto first_of = [&](std::size_t budget) {
        SelectOptions options = options_of(strategy, static_cast<std::int64_t>(budget), seed);
        options.balance.balance = BalanceKind::none;
        return select(data.input, options).picks.front().item;
      };
      ASSERT_EQ(first_of((data.candidates() + 1) / 2), first_of(1));
    }
  }
}

/// Wherever no number can come from: an error in the end, and never a loop.
TEST(all_strategies_property, what_is_no_number_is_refused) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    for (const Strategy& strategy : strategies())
      for (const bool measure : {true, false}) {
        SCOPED_TRACE(std::string(strategy.name) + (measure ? "" : " light"));
        StrategyData data(11, 40);
        data.rows[data.rows.size() / 2] = bad;
        data.use_rows(data.rows);
        SelectOptions options = options_of(strategy, 5, 0);
        options.measure = measure;
        const bool looks_at_rows = measure || strategy.needs_objective || strategy.needs_embeddings;
        try {
          static_cast<void>(select(data.input, options));
          ASSERT_FALSE(looks_at_rows);
        } catch (const Error& error) {
          ASSERT_EQ(error.kind(), ErrorKind::bad_input);
        }
      }
}

TEST(all_strategies_property, one_more_than_there_is_is_refused) {
  const StrategyData data(8);
  for (const Strategy& strategy : strategies()) {
    SCOPED_TRACE(std::string(strategy.name));
    const auto budget = static_cast<std::int64_t>(data.candidates() + 1);
    try {
      static_cast<void>(select(data.input, options_of(strategy, budget, 0)));
      FAIL() << "chose " << budget << " of " << data.candidates();
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::bad_option);
    }
  }
}

/// Every class ruled out: an empty answer that says so, from every strategy.
TEST(all_strategies_property, caps_of_nothing_leave_nothing_to_choose) {
  const testing::TempDir folder;
  for (const bool labelled : {false, true}) {
    StrategyData data(8, 60, 30);
    if (!labelled) data.input.labelled.clear();
    std::string none;
    for (std::size_t label = 0; label < data.classes; ++label) none += std::to_string(label) + ",0\n";
    for (const Strategy& strategy : strategies())
      for (const Shortfall shortfall : {Shortfall::relax, Shortfall::stop}) {
        SCOPED_TRACE(std::string(strategy.name) + (labelled ? " with labelled items" : ""));
        SelectOptions options = options_of(strategy, 5, 0);
        options.balance.balance = BalanceKind::class_only;
        options.balance.class_cap = CapFile{folder.write("caps.csv", none)};
        options.balance.shortfall = shortfall;
        const Selection selection = select(data.input, options);
        ASSERT_TRUE(selection.picks.empty());
        ASSERT_EQ(selection.requested, 5);
        ASSERT_EQ(selection.feasible_size, 0);
        ASSERT_TRUE(std::isfinite(selection.objective.total));
      }
  }
}

}  // namespace
}  // namespace pith
