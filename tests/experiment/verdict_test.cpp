#include "experiment/verdict.h"

#include <gmock/gmock.h>

#include <limits>

#include "support/cells.h"

namespace pith::train {
namespace {

using testing::cell;
using ::testing::HasSubstr;
using ::testing::Not;

/// Trials differ by 10 points, but in each the strategy is 2 points better, give or take 0.1.
std::vector<CellResult> paired_results() {
  return {cell(0, "10%", "random", 0.50), cell(1, "10%", "random", 0.60), cell(2, "10%", "random", 0.70),
          cell(0, "10%", "mine", 0.52),   cell(1, "10%", "mine", 0.621),  cell(2, "10%", "mine", 0.719)};
}

TEST(Verdict, pairing_by_seed_sees_what_the_spread_of_trials_would_hide) {
  const Verdict verdict = judge(paired_results());
  ASSERT_EQ(verdict.comparisons.size(), 1U);
  const Comparison& comparison = verdict.comparisons.front();
  // Differences 2, 2.1, 1.9: mean 2, deviation 0.1, t(2) = 4.30265, so 2 +- 0.24841.
  EXPECT_EQ(comparison.control, "random");
  EXPECT_NEAR(comparison.gain.mean, 2, 1e-9);
  EXPECT_NEAR(comparison.gain.low, 2 - 0.24841, 1e-4);
  EXPECT_NEAR(comparison.gain.high, 2 + 0.24841, 1e-4);
  EXPECT_TRUE(comparison.beats());
  EXPECT_THAT(verdict_text(verdict), HasSubstr("10%  beat random: mine by +2.0 (+1.8 to +2.2)"));
  EXPECT_THAT(verdict_text(verdict), HasSubstr("stratified was not run"));
}

TEST(Verdict, says_plainly_when_none_is_better) {
  auto results = paired_results();
  results[3].accuracy = 0.50;
  results[4].accuracy = 0.65;
  results[5].accuracy = 0.66;
  const std::string text = verdict_text(judge(results));
  EXPECT_THAT(text, HasSubstr("10%  no strategy beats random"));
  EXPECT_THAT(text, HasSubstr("no strategy is shown to beat its control at any budget"));
  EXPECT_THAT(text, Not(HasSubstr("worse than it")));
}

TEST(Verdict, says_which_are_worse) {
  auto results = paired_results();
  for (std::size_t at = 0; at < 3; ++at) std::swap(results[at].accuracy, results[at + 3].accuracy);
  EXPECT_THAT(verdict_text(judge(results)),
              HasSubstr("no strategy beats random; worse than it: mine by -2.0 (-2.2 to -1.8)"));
}

TEST(Verdict, compares_only_trials_that_both_have_finished) {
  auto results = paired_results();
  results.push_back(cell(3, "10%", "mine", 0.1));
  const Verdict verdict = judge(results);
  EXPECT_EQ(verdict.comparisons.front().gain.count, 3U);
  EXPECT_EQ(verdict.find("10%", "mine")->accuracy.count, 4U);
}

TEST(Verdict, both_controls_count_and_are_compared_with_each_other) {
  auto results = paired_results();
  for (std::uint64_t trial = 0; trial < 3; ++trial)
    results.push_back(cell(trial, "10%", "stratified", 0.515 + 0.1 * static_cast<double>(trial)));
  const Verdict verdict = judge(results);
  EXPECT_EQ(verdict.controls, (std::vector<std::string>{"random", "stratified"}));
  EXPECT_EQ(verdict.comparisons.size(), 4U);
  const std::string text = verdict_text(verdict);
  EXPECT_THAT(text, HasSubstr("beat random: mine by +2.0 (+1.8 to +2.2), stratified by +1.5 (+1.5 to +1.5)"));
  EXPECT_THAT(text, HasSubstr("beat stratified: mine by +0.5 (+0.3 to +0.7); worse than it: random by -1.5"));
  EXPECT_THAT(text, HasSubstr("of 4 comparisons"));
}

TEST(Verdict, one_trial_is_no_evidence) {
  const std::string text = verdict_text(judge({cell(0, "10%", "random", 0.1), cell(0, "10%", "mine", 0.9)}));
  EXPECT_THAT(text, HasSubstr("one trial says nothing about chance"));
  EXPECT_THAT(text, Not(HasSubstr("beat random:")));
  EXPECT_THAT(text, Not(HasSubstr("no strategy is shown")));
}

TEST(Verdict, smallest_subset_that_reaches_the_interval_of_all_data) {
  std::vector<CellResult> results;
  const double noise[] = {-0.01, 0, 0.01};
  for (std::uint64_t trial = 0; trial < 3; ++trial) {
    // 80 +- 1 over three trials: 80 - 4.30265 / sqrt(3) = 77.516.
    results.push_back(cell(trial, full_budget, full_name, 0.80 + noise[trial]));
    results.push_back(cell(trial, "10%", "mine", 0.7745));
    results.push_back(cell(trial, "30%", "mine", 0.7755));
    results.push_back(cell(trial, "50%", "mine", 0.79));
    results.push_back(cell(trial, "50%", "random", 0.77));
  }
  const Verdict verdict = judge(results);
  ASSERT_EQ(verdict.sufficient.size(), 1U);
  EXPECT_EQ(verdict.sufficient[0].variant, "mine");
  EXPECT_EQ(verdict.sufficient[0].budget, "30%");
  EXPECT_THAT(verdict_text(verdict),
              HasSubstr("All data give 80.0% (77.5 to 82.5). Smallest subsets that reach the "
                        "interval: mine at 30% (77.5%)."));
}

TEST(Verdict, no_subset_may_suffice) {
  std::vector<CellResult> results = paired_results();
  results.push_back(cell(0, full_budget, full_name, 0.95));
  results.push_back(cell(1, full_budget, full_name, 0.96));
  EXPECT_THAT(verdict_text(judge(results)), HasSubstr("No subset tried reaches that interval"));
}

TEST(Verdict, table_has_budgets_by_size_and_gaps_for_what_is_not_done) {
  const std::string text = table_text(judge({cell(0, "500", "random", 0.5), cell(0, "60", "random", 0.25),
                                             cell(1, "60", "random", 0.35), cell(0, "60", "mine", 0.4)}));
  EXPECT_LT(text.find(" 60"), text.find(" 500"));
  EXPECT_THAT(text, HasSubstr("30.00 ± 7.07 (2)"));
  EXPECT_THAT(text, ::testing::ContainsRegex("mine +40.00 +\\(1\\) +-\n"));
}

TEST(Verdict, columns_of_the_table_stand_apart) {
  std::vector<CellResult> results;
  for (const char* budget : {"10%", "20%"})
    for (const double accuracy : {0.55, 0.99})
      results.push_back(cell(accuracy > 0.9, budget, "random", accuracy));
  EXPECT_THAT(table_text(judge(results)),
              ::testing::ContainsRegex("random +77.00 ±31.11 \\(2\\) +77.00 ±31.11 \\(2\\)\n"));
}

TEST(Verdict, of_nothing) {
  EXPECT_THAT(verdict_text(judge({})), HasSubstr("nothing to judge"));
}

TEST(Verdict, trainings_that_went_astray_are_told) {
  auto results = paired_results();
  EXPECT_THAT(verdict_text(judge(results)), Not(HasSubstr("astray")));
  results[3].training_loss = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(verdict_text(judge(results)), HasSubstr("1 of 6 trainings went astray"));
  // The last step may be the one that does the harm.
  results[4].loss = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(verdict_text(judge(results)), HasSubstr("2 of 6 trainings went astray"));
}

}  // namespace
}  // namespace pith::train
