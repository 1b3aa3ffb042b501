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
  options.objective.lambda.reset();
  return options;
}

std::array<double, 3> settled_lambda(const SelectInput& input, SelectOptions options, const Pool& pool) {
  settle_automatic(options, input, pool);
  return options.objective.lambda.value();
}

TEST(Automatic, diversity_counts_in_full_until_the_budget_exceeds_the_uncertainty) {
  EXPECT_EQ(diversity_left(0.5, 0.1), 1);
  EXPECT_EQ(diversity_left(0.3, 0.3), 1);
  EXPECT_DOUBLE_EQ(diversity_left(0.4, 0.5), std::pow(0.8, 8));
}

TEST(Automatic, diversity_never_vanishes) {
  EXPECT_EQ(diversity_left(0, 0.5), 0.01);
  EXPECT_EQ(diversity_left(0.01, 1), 0.01);
}

TEST(Automatic, class_caps_loosen_where_the_budget_exceeds_the_uncertainty_by_an_eighth) {
  EXPECT_EQ(loosened_class_caps(0.5, 0.1), 1);
  EXPECT_EQ(loosened_class_caps(0.8, 0.9), 1);
  EXPECT_EQ(loosened_class_caps(0.25, 0.5), 8);
  EXPECT_EQ(loosened_class_caps(0, 0.5), 792);
  SelectOptions options;
  options.budget = {.amount = 5};
  settle_automatic(options, ten_items(0.25), Pool::of_all(10));
  EXPECT_EQ(options.balance.class_slack, 1) << "not asked for";
  options.balance.class_slack.reset();
  settle_automatic(options, ten_items(0.25), Pool::of_all(10));
  EXPECT_EQ(options.balance.class_slack, 8);
  EXPECT_EQ(options.objective.lambda, (std::array{0.7, 0.3, 1.0})) << "given, so it stays";
}

TEST(Automatic, lambda_raises_the_uncertainty) {
  const Pool pool = Pool::of_all(10);
  const SelectInput input = ten_items(0.25);
  EXPECT_EQ(settled_lambda(input, for_budget(2), pool), (std::array{0.7, 0.3, 3.0}));
  EXPECT_EQ(settled_lambda(input, for_budget(5), pool), (std::array{0.7 / 0.01, 0.3, 3.0}));
  SelectOptions submod = for_budget(5);
  submod.strategy = "submod";
  EXPECT_EQ(settled_lambda(input, submod, pool), (std::array{0.7 / 0.01, 0.3, 0.0}));
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
  EXPECT_EQ(options.objective.gamma, 0.01);
}

TEST(Automatic, labelled_items_count_as_chosen_and_excluded_ones_not_at_all) {
  SelectInput input = ten_items(0.25);
  Pool pool = Pool::of_all(10);
  pool.state[0] = pool.state[1] = Pool::State::labelled;
  pool.labelled = {0, 1};
  pool.labelled_class = {no_group, no_group};
  pool.state[8] = pool.state[9] = Pool::State::excluded;
  input.predictions.margin[8] = input.predictions.margin[9] = 1;
  EXPECT_EQ(settled_lambda(input, for_budget(2), pool), (std::array{0.7 / 0.01, 0.3, 3.0}));  // (2 + 2) / 8
}

TEST(Automatic, with_costs_the_share_is_of_the_cost) {
  SelectInput input = ten_items(0.25);
  input.costs.assign(10, 2.0);
  SelectOptions options;
  options.objective.lambda.reset();
  options.cost_budget = 10;
  EXPECT_EQ(settled_lambda(input, options, Pool::of_all(10)), (std::array{0.7 / 0.01, 0.3, 3.0}));
}

}  // namespace
}  // namespace pith
