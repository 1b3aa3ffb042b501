#include "pipeline/automatic.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pith {
namespace {

/// Ten items, all as uncertain as told.
SelectInput ten_items(double uncertainty) {
  SelectInput input;
  input.predictions = {.classes = 2,
                       .best = std::vector<std::uint32_t>(10, 0),
                       .second = std::vector<std::uint32_t>(10, 1),
                       .margin = std::vector<double>(10, uncertainty),
                       .other_uncertainty = {}};
  return input;
}

SelectOptions for_budget(std::int64_t budget) {
  SelectOptions options;
  options.budget = {.amount = budget};
  return options;
}

std::array<double, 3> settled_lambda(const SelectInput& input, SelectOptions options, const Pool& pool) {
  settle_automatic(options, input, pool);
  return options.objective.lambda.value();
}

TEST(Automatic, diversity_counts_in_full_until_the_budget_exceeds_the_uncertainty) {
  EXPECT_EQ(diversity_left(0.5, 0.1), 1);
  EXPECT_EQ(diversity_left(0.3, 0.3), 1);
  EXPECT_DOUBLE_EQ(diversity_left(0.4, 0.5), std::pow(0.8, 6));
}

TEST(Automatic, diversity_never_vanishes) {
  EXPECT_EQ(diversity_left(0, 0.5), 0.01);
  EXPECT_EQ(diversity_left(0.01, 1), 0.01);
}

TEST(Automatic, uncertainty_counts_by_how_much_of_it_the_budget_has_room_for) {
  for (const bool uneven : {false, true}) {
    EXPECT_DOUBLE_EQ(uncertainty_share(0.5, 0.25, uneven), 0.25);
    EXPECT_EQ(uncertainty_share(0.3, 0.3, uneven), 1);
    EXPECT_EQ(uncertainty_share(0, 0.5, uneven), 1e4) << "at most";
  }
}

TEST(Automatic, beyond_that_it_counts_for_more_where_classes_are_uneven) {
  EXPECT_DOUBLE_EQ(uncertainty_share(0.4, 0.5, true), std::pow(1.25, 6));
  EXPECT_EQ(uncertainty_share(0.25, 0.5, true), 64);
  EXPECT_EQ(uncertainty_share(0.25, 0.5, false), 4);
  EXPECT_EQ(uncertainty_share(0.1, 0.5, true), 1e4) << "at most";
  EXPECT_DOUBLE_EQ(uncertainty_share(0.1, 0.5, false), 25);
}

TEST(Automatic, class_caps_loosen_where_the_budget_exceeds_the_uncertainty_by_an_eighth) {
  EXPECT_EQ(loosened_class_caps(0.5, 0.1), 1);
  EXPECT_EQ(loosened_class_caps(0.8, 0.9), 1);
  EXPECT_EQ(loosened_class_caps(0.25, 0.5), 8);
  EXPECT_EQ(loosened_class_caps(0, 0.5), 792);
}

double settled_slack(const SelectInput& input, SelectOptions options, const Pool& pool = Pool::of_all(10)) {
  settle_automatic(options, input, pool);
  return options.balance.class_slack.value();
}

SelectOptions with_automatic_slack(std::int64_t budget) {
  SelectOptions options = for_budget(budget);
  options.balance.class_slack.reset();
  return options;
}

TEST(Automatic, class_caps_loosen_only_where_equal_ones_cannot_be_met) {
  const SelectInput one_class = ten_items(0.25);
  EXPECT_EQ(settled_slack(one_class, for_budget(5)), 1) << "not asked for";
  EXPECT_EQ(settled_slack(one_class, with_automatic_slack(5)), 8);
  SelectInput even = one_class;
  for (std::size_t item = 0; item < 5; ++item) even.predictions.best[item] = 1;
  EXPECT_EQ(settled_slack(even, with_automatic_slack(5)), 1);
  // Two of each class, and three labelled ones of the first: of seven, four may be of one class.
  Pool pool = Pool::of_all(10);
  pool.labelled = {5, 6, 7};
  for (const Item item : pool.labelled) pool.state[item] = Pool::State::labelled;
  pool.state[0] = pool.state[1] = pool.state[2] = Pool::State::excluded;
  pool.labelled_class = {no_group, no_group, no_group};
  EXPECT_EQ(settled_slack(even, with_automatic_slack(4), pool), 24) << "r = 1";
  pool.labelled_class = {1, 1, no_group};
  EXPECT_EQ(settled_slack(even, with_automatic_slack(4), pool), 1)
      << "given labels count: four of one, three of the other";
}

TEST(Automatic, class_caps_of_the_user_and_other_rules_stay_as_they_are) {
  const SelectInput input = ten_items(0.25);
  SelectOptions options = with_automatic_slack(5);
  options.balance.class_slack = 2;
  EXPECT_EQ(settled_slack(input, options), 2);
  options = with_automatic_slack(5);
  options.balance.class_cap = FixedCap{3};
  EXPECT_EQ(settled_slack(input, options), 1);
  options = with_automatic_slack(5);
  options.balance.shortfall = Shortfall::stop;
  EXPECT_EQ(settled_slack(input, options), 1);
  options = with_automatic_slack(5);
  options.strategy = "stratified";
  EXPECT_EQ(settled_slack(input, options), 1) << "the control keeps equal caps";
}

TEST(Automatic, lambda_follows_the_budget_for_submod_bal_alone) {
  const Pool pool = Pool::of_all(10);
  const SelectInput input = ten_items(0.25);
  EXPECT_EQ(settled_lambda(ten_items(1), for_budget(5), pool), (std::array{0.7 / 4, 0.3, 1.0}));
  EXPECT_EQ(settled_lambda(input, for_budget(5), pool), (std::array{0.7 * 64, 0.3, 1.0}));
  SelectInput even = input;
  for (std::size_t item = 0; item < 5; ++item) even.predictions.best[item] = 1;
  EXPECT_EQ(settled_lambda(even, for_budget(5), pool), (std::array{0.7 * 4, 0.3, 1.0}));
  SelectOptions other = for_budget(5);
  other.strategy = "submod";
  EXPECT_EQ(settled_lambda(input, other, pool), (std::array{0.7, 0.3, 0.0}));
  other.strategy = "margin";
  EXPECT_EQ(settled_lambda(input, other, pool), (std::array{0.7, 0.3, 1.0}));
}

TEST(Automatic, what_is_given_stays) {
  SelectOptions options = for_budget(5);
  options.objective.lambda = {1, 2, 3};
  options.objective.gamma = 0.5;
  settle_automatic(options, ten_items(0.25), Pool::of_all(10));
  EXPECT_EQ(options.objective.lambda, (std::array{1.0, 2.0, 3.0}));
  EXPECT_EQ(options.objective.gamma, 0.5);
  options.objective.gamma.reset();
  settle_automatic(options, ten_items(0.25), Pool::of_all(10));
  EXPECT_EQ(options.objective.gamma, 1.0 / 64);
}

TEST(Automatic, labelled_items_count_as_chosen_and_excluded_ones_not_at_all) {
  SelectInput input = ten_items(0.25);
  Pool pool = Pool::of_all(10);
  pool.state[0] = pool.state[1] = Pool::State::labelled;
  pool.labelled = {0, 1};
  pool.labelled_class = {no_group, no_group};
  pool.state[8] = pool.state[9] = Pool::State::excluded;
  input.predictions.margin[8] = input.predictions.margin[9] = 1;
  EXPECT_EQ(settled_lambda(input, for_budget(2), pool), (std::array{0.7 * 64, 0.3, 1.0}));  // (2 + 2) / 8
}

TEST(Automatic, with_costs_the_share_is_of_the_cost) {
  SelectInput input = ten_items(0.25);
  input.costs.assign(10, 2.0);
  SelectOptions options;
  options.cost_budget = 10;
  EXPECT_EQ(settled_lambda(input, options, Pool::of_all(10)), (std::array{0.7 * 64, 0.3, 1.0}));
}

}  // namespace
}  // namespace pith
