#include "pipeline/given_options.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pipeline/prepare_input.h"
#include "support/errors.h"

namespace pith {
namespace {

using testing::expect_bad_input;
using testing::expect_error;

void expect_refused(std::initializer_list<std::string_view> parts, const GivenTexts& given) {
  expect_error(ErrorKind::bad_option, parts, [&] { static_cast<void>(read_given_options(given)); });
}

TEST(given_options, are_parsed_by_the_table) {
  const SelectOptions options = read_given_options(
      {{"budget", "7"}, {"strategy", "margin"}, {"lambda", "1,2,3"}, {"neighbors", "5"}, {"tau", "0.5"}});
  EXPECT_EQ(std::get<std::int64_t>(options.budget.amount), 7);
  EXPECT_EQ(options.strategy, "margin");
  EXPECT_EQ(*options.objective.lambda, (std::array<double, 3>{1, 2, 3}));
  EXPECT_EQ(options.graph.neighbors, 5U);
  EXPECT_EQ(options.balance.tau, 0.5);
}

TEST(given_options, start_from_the_preset) {
  const SelectOptions paper = read_given_options({{"budget", "1"}, {"preset", "paper"}});
  EXPECT_EQ(paper.objective.triple_scale, TripleScale::none);
  expect_refused({"--preset", "'peper'", "default or paper"}, {{"budget", "1"}, {"preset", "peper"}});
}

TEST(given_options, that_contradict_each_other_are_refused) {
  expect_refused({"--budget is missing"}, {});
  expect_refused({"--budget-cost", "not both"}, {{"budget", "1"}, {"budget-cost", "2"}, {"costs", ""}});
  expect_refused({"--costs", "belong together"}, {{"budget-cost", "2"}});
  expect_refused({"--costs", "belong together"}, {{"budget", "2"}, {"costs", ""}});
  expect_refused({"--neighbors", "has its own"}, {{"budget", "1"}, {"graph", ""}, {"neighbors", "3"}});
  expect_refused({"--term", "--lambda"}, {{"budget", "1"}, {"term", "diversity=1"}, {"lambda", "1,1,1"}});
  expect_refused({"--scores", "no term uses them"}, {{"budget", "1"}, {"scores", ""}});
}

TEST(given_options, caps_that_would_not_hold_are_refused) {
  const auto settle = [](const GivenTexts& given) {
    return settle_given_options(given, read_given_options(given));
  };
  expect_error(ErrorKind::bad_option, {"--class-cap", "margin", "--balance class"}, [&] {
    static_cast<void>(settle({{"budget", "1"}, {"strategy", "margin"}, {"class-cap", "3"}}));
  });
  const SelectOptions both = settle({{"budget", "1"}, {"class-cap", "3"}});
  EXPECT_EQ(both.balance.balance, BalanceKind::both);
  const SelectOptions asked =
      settle({{"budget", "1"}, {"strategy", "margin"}, {"class-cap", "3"}, {"balance", "class"}});
  EXPECT_EQ(asked.balance.balance, BalanceKind::class_only);
}

TEST(given_options, of_the_graph_alone) {
  EXPECT_EQ(read_graph_options({{"metric", "l2"}, {"tau", "ignored"}}).metric, Metric::l2);
  expect_error(ErrorKind::bad_option, {"--recall", "2"}, [] {
    static_cast<void>(read_graph_options({{"recall", "2"}}));
  });
}

TEST(given_options, names_of_strategies) {
  EXPECT_EQ(read_strategy_names("margin,random"), (std::vector<std::string>{"margin", "random"}));
  expect_error(ErrorKind::bad_option, {"--strategies", "margin", "twice"},
               [] { static_cast<void>(read_strategy_names("margin,margin")); });
  expect_error(ErrorKind::bad_option, {"unknown strategy 'margins'", "did you mean 'margin'?"},
               [] { static_cast<void>(read_strategy_names("margins")); });
}

TEST(given_options, threads) {
  EXPECT_EQ(read_threads({}), 0U);
  EXPECT_EQ(read_threads({{"threads", "3"}}), 3U);
  for (const char* text : {"0", "5000", "many"})
    expect_error(ErrorKind::bad_option, {"--threads", text}, [&] {
      static_cast<void>(read_threads({{"threads", text}}));
    });
}

SelectInput three_items() {
  SelectInput input;
  input.embeddings = Matrix::of_floats({1, 0, 0, 1, 1, 1}, 3, 2, "e");
  input.probabilities.members = {Matrix::of_floats({0.5, 0.5, 1, 0, 0, 1}, 3, 2, "p")};
  return input;
}

TEST(prepare_input, reads_predictions_and_notes_what_they_were) {
  SelectInput input = three_items();
  std::vector<InputNote> notes;
  prepare_input(input, {}, "g", notes, {});
  EXPECT_EQ(input.predictions.size(), 3U);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].role, "embeddings");
  EXPECT_EQ(notes[0].shape, "3 x 2 f32");
  EXPECT_EQ(notes[0].checksum, fingerprint_of(input.embeddings.view));
  EXPECT_EQ(notes[1].role, "probs");
}

TEST(prepare_input, refuses_what_does_not_belong_together) {
  SelectInput input = three_items();
  std::vector<InputNote> notes;
  const Matrix two = Matrix::of_floats({1, 0, 0, 1}, 2, 2, "two");
  expect_bad_input({"two has 2 rows but p has 3"}, [&] { require_same_items(two, input.probabilities); });
  const Matrix other = Matrix::of_floats({1, 0, 0, 1, 1, 2}, 3, 2, "other");
  input.graph = build_graph(other, {});
  expect_bad_input({"g"}, [&] { prepare_input(input, {}, "g", notes, {}); });
  input.embeddings = {};
  input.graph = build_graph(two, {});
  expect_bad_input({"g has 2 items but p has 3 rows"}, [&] { prepare_input(input, {}, "g", notes, {}); });
  input = three_items();
  input.embeddings = Matrix::of_floats({1, 0, NAN, 1, 1, 1}, 3, 2, "e");
  expect_bad_input({"e", "row 1", "column 0", "nan"}, [&] { prepare_input(input, {}, "g", notes, {}); });
}

}  // namespace
}  // namespace pith
