#include "support/cli_case.h"

namespace pith::testing {
namespace {

using ::testing::HasSubstr;

class Optimizers : public CliCase {
 protected:
  [[nodiscard]] std::string costs(const std::string& first = "2") const {
    std::string csv = "cost\n" + first + "\n";
    for (int item = 1; item < 60; ++item) csv += fmt::format("{}\n", 1 + item % 4);
    return write("c.csv", csv);
  }
  [[nodiscard]] static bool is_greedy_on_f(const std::string& strategy) {
    return strategy.starts_with("submod") || strategy == "facility-location" || strategy == "graph-cut";
  }
};

TEST_F(Optimizers, naive_chooses_what_lazy_does_and_the_others_keep_to_the_caps) {
  const Results lazy = selected({"--budget", "15"}, "lazy");
  EXPECT_EQ(selected({"--budget", "15", "--optimizer", "naive"}, "naive").indices, lazy.indices);
  const Results one = selected({"--budget", "15", "--optimizer", "stochastic", "--seed", "3"}, "one");
  EXPECT_EQ(selected({"--budget", "15", "--optimizer", "stochastic", "--seed", "3"}, "two").indices,
            one.indices);
  EXPECT_NE(selected({"--budget", "15", "--optimizer", "stochastic", "--seed", "4"}, "three").indices,
            one.indices);
  EXPECT_EQ(selected({"--budget", "15", "--optimizer", "threshold"}, "threshold").indices.size(), 15U);
}

TEST_F(Optimizers, the_summary_says_what_is_given_up) {
  const Outcome stochastic = select(
      {"--budget", "9", "--strategy", "submod", "--optimizer", "stochastic", "--stochastic-epsilon", "0.05"});
  EXPECT_THAT(stochastic.out, HasSubstr("1 - 1/e - 0.05"));
  EXPECT_THAT(select({"--budget", "9", "--optimizer", "stochastic"}, "caps").out,
              HasSubstr("without a guarantee"));
  EXPECT_THAT(select({"--budget", "9", "--optimizer", "threshold", "--threshold-epsilon", "0.2"}, "bar").out,
              HasSubstr("within 0.2"));
}

TEST_F(Optimizers, bad_ones_are_refused) {
  expect_refused(select({"--budget", "5", "--optimizer", "lasy"}), 2, {"--optimizer", "did you mean 'lazy'"});
  for (const std::string& strategy : all_strategies())
    if (!is_greedy_on_f(strategy))
      expect_refused(select({"--budget", "5", "--optimizer", "naive", "--strategy", strategy}), 2,
                     {"--optimizer", strategy});
  expect_refused(select({"--budget", "5", "--stochastic-epsilon", "0"}), 2, {"--stochastic-epsilon"});
  expect_refused(select({"--budget", "5", "--threshold-epsilon", "1"}), 2, {"--threshold-epsilon"});
}

TEST_F(Optimizers, costs_are_kept_to_and_told) {
  const Outcome outcome =
      select({"--costs", costs(), "--budget-cost", "20", "--strategy", "facility-location"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("20 spent"));
  const Results results = read_results(path("out"));
  expect_consistent(results);
  double spent = 0;
  for (const std::int64_t item : results.indices) spent += item == 0 ? 2 : static_cast<double>(1 + item % 4);
  const Json& budget = results.summary.at("budget");
  EXPECT_EQ(budget.at("cost"), spent);
  EXPECT_EQ(budget.at("cost_budget"), 20);
  EXPECT_LE(spent, 20);
  EXPECT_GT(spent, 16) << "something that costs 4 or less would still fit";
  EXPECT_TRUE(results.summary.at("certificate").at("ratio_without_constant").is_null());
}

TEST_F(Optimizers, costs_add_up_as_decimals_do) {
  std::string tenths;
  for (int item = 0; item < 60; ++item) tenths += "0.1\n";
  const Results results = selected({"--costs", write("tenths.csv", tenths), "--budget-cost", "0.3",
                                    "--strategy", "submod", "--term", "uncertainty=1"},
                                   "three");
  EXPECT_EQ(results.indices.size(), 3U);
  EXPECT_GE(results.summary.at("certificate").at("ratio").get<double>(), 0.999);
  expect_refused(select({"--costs", path("tenths.csv"), "--budget-cost", "0.01", "--strategy", "submod"}), 2,
                 {"--budget-cost", "0.01", "the cheapest item costs 0.1"});
}

TEST_F(Optimizers, costs_refuse_what_they_cannot_go_with) {
  const Arguments spend = {"--costs", costs(), "--budget-cost", "20"};
  expect_refused(select(spend + Arguments{"--strategy", "submod", "--budget", "5"}), 2,
                 {"--budget-cost", "both"});
  expect_refused(select(spend), 2, {"--budget-cost", "--balance none"});
  for (const std::string& strategy : all_strategies())
    if (!is_greedy_on_f(strategy))
      expect_refused(select(spend + Arguments{"--strategy", strategy, "--balance", "none"}), 2,
                     {"--budget-cost", strategy});
  expect_refused(select(spend + Arguments{"--strategy", "submod", "--optimizer", "naive"}), 2,
                 {"--budget-cost", "lazy"});
  expect_refused(select({"--costs", costs(), "--budget", "5"}), 2, {"--costs", "--budget-cost"});
  expect_refused(select({"--budget-cost", "5", "--strategy", "submod"}), 2, {"--costs"});
  expect_refused(select({"--costs", costs(), "--budget-cost", "-1", "--strategy", "submod"}), 2,
                 {"--budget-cost", "above 0"});
  expect_refused(select({"--costs", costs("0"), "--budget-cost", "5", "--strategy", "submod"}), 3,
                 {"c.csv", "line 2", "above 0"});
}

TEST_F(Optimizers, a_bar_that_hardly_falls_still_ends) {
  const Results exact = selected({"--budget", "15", "--optimizer", "lazy"}, "lazy");
  const Results fine =
      selected({"--budget", "15", "--optimizer", "threshold", "--threshold-epsilon", "1e-6"}, "fine");
  EXPECT_EQ(fine.indices.size(), 15U);
  expect_error_line(select({"--budget", "15", "--threshold-epsilon", "1e-17"}, "none"), 2,
                    {"--threshold-epsilon", "1e-06"});
  EXPECT_NEAR(fine.summary.at("objective").at("total").get<double>(),
              exact.summary.at("objective").at("total").get<double>(), 1e-3);
}

TEST_F(Optimizers, costs_with_nothing_left_to_buy_are_refused) {
  std::string all;
  for (int item = 0; item < 60; ++item) all += fmt::format("{}\n", item);
  expect_refused(select({"--costs", costs(), "--budget-cost", "20", "--strategy", "submod", "--exclude",
                         write("all.txt", all)}),
                 2, {"--budget-cost", "no item is left"});
}

TEST_F(Optimizers, the_summary_of_a_budget_of_costs_names_no_other) {
  const Results results = selected({"--costs", costs(), "--budget-cost", "20", "--strategy", "submod"});
  EXPECT_TRUE(results.summary.at("options").at("budget").is_null());
  const Results shares = selected({"--budget", "3.3333333%"}, "shares");
  EXPECT_EQ(shares.summary.at("options").at("budget"), "3.3333333%");
}

}  // namespace
}  // namespace pith::testing
