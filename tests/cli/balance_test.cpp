#include "support/cli_case.h"

namespace pith::testing {
namespace {

class CapsAndShortfall : public CliCase {
 protected:
  /// Class sizes 40, 12, 6, 2; every item certain enough to lie on no boundary unless `uncertain`.
  void use_long_tail(bool uncertain) {
    Data data = make_data(60, 4, 4, 8);
    for (std::size_t item = 0; item < 60; ++item) {
      const std::size_t label = item < 40 ? 0 : item < 52 ? 1 : item < 58 ? 2 : 3;
      const double best = uncertain ? 0.5 : 0.97;
      for (std::size_t c = 0; c < 4; ++c)
        data.probs[item * 4 + c] = c == label ? best : c == (label + 1) % 4 ? 1 - best : 0;
    }
    use(data);
  }
  [[nodiscard]] static std::vector<std::int64_t> column(const Results& results, const char* kind,
                                                        const char* key) {
    std::vector<std::int64_t> values;
    for (const Json& row : results.summary.at("constraints").at(kind)) values.push_back(row.at(key));
    return values;
  }
  using Counts = std::vector<std::int64_t>;
};

TEST_F(CapsAndShortfall, relax_raises_the_class_caps_to_the_least_level_that_does) {
  use_long_tail(false);
  const Results results = selected({"--budget", "40", "--balance", "class"});
  EXPECT_EQ(column(results, "class", "available"), (Counts{40, 12, 6, 2}));
  EXPECT_EQ(column(results, "class", "cap_requested"), (Counts{10, 10, 10, 10}));
  EXPECT_EQ(column(results, "class", "selected"), (Counts{20, 12, 6, 2}));
  EXPECT_EQ(column(results, "class", "cap"), (Counts{20, 20, 20, 20}));
  EXPECT_EQ(results.summary.at("feasible_size"), 28);
  EXPECT_EQ(results.summary.at("constraints").at("relaxed"), true);
  EXPECT_EQ(results.indices.size(), 40U);
}

TEST_F(CapsAndShortfall, slack_loosens_the_level_at_which_the_classes_fill_the_budget) {
  use_long_tail(false);
  const Results results = selected({"--budget", "40", "--balance", "class", "--class-slack", "1.5"});
  EXPECT_EQ(column(results, "class", "cap_requested"), (Counts{30, 30, 30, 30}));  // 1.5 times 20
  EXPECT_EQ(results.summary.at("feasible_size"), 50);
  EXPECT_EQ(results.summary.at("constraints").at("relaxed"), false);
  EXPECT_EQ(results.indices.size(), 40U);
  EXPECT_EQ(results.summary.at("options").at("class-slack"), 1.5);
}

TEST_F(CapsAndShortfall, automatic_slack_follows_the_budget_and_the_uncertainty_and_is_told) {
  use_long_tail(false);
  const Results few = selected({"--budget", "1", "--balance", "class", "--class-slack", "auto"});
  EXPECT_EQ(few.summary.at("options").at("class-slack"), 1.0);
  const Results most = selected({"--budget", "58", "--balance", "class", "--class-slack", "auto"});
  const double slack = most.summary.at("options").at("class-slack");
  EXPECT_GT(slack, 1);
  EXPECT_GT(column(most, "class", "cap_requested").front(), 15) << "more than an equal share";
}

TEST_F(CapsAndShortfall, slack_that_no_cap_has_is_told) {
  use_long_tail(true);
  const auto told = [&](const Arguments& more) { return select(Arguments{"--budget", "8"} + more).out; };
  const auto idle = ::testing::HasSubstr("not used");
  EXPECT_THAT(told({"--class-cap", "4", "--class-slack", "1.5"}),
              ::testing::HasSubstr("  not used     --class-slack: --class-cap is one number for all\n"));
  EXPECT_THAT(
      told({"--boundary-cap", "4", "--boundary-slack", "3"}),
      ::testing::HasSubstr("  not used     --boundary-slack: --boundary-cap is one number for all\n"));
  EXPECT_THAT(told({"--class-slack", "1.5", "--boundary-slack", "3"}), ::testing::Not(idle));
  EXPECT_THAT(told({"--class-cap", "4", "--boundary-cap", "4"}), ::testing::Not(idle));
}

TEST_F(CapsAndShortfall, stop_keeps_the_caps_and_chooses_fewer) {
  use_long_tail(false);
  const Results results = selected({"--budget", "40", "--balance", "class", "--shortfall", "stop"});
  EXPECT_EQ(column(results, "class", "selected"), (Counts{10, 10, 6, 2}));
  EXPECT_EQ(results.summary.at("constraints").at("relaxed"), false);
  EXPECT_EQ(results.summary.at("budget").at("requested"), 40);
  EXPECT_EQ(results.summary.at("budget").at("selected"), 28);
}

TEST_F(CapsAndShortfall, error_refuses_and_says_what_is_missing) {
  use_long_tail(false);
  expect_refused(select({"--budget", "40", "--balance", "class", "--shortfall", "error"}), 5,
                 {"40", "28", "12 missing", "2 of 4 classes", "class 2, 3", "--budget", "--shortfall relax"});
}

TEST_F(CapsAndShortfall, error_names_the_boundaries_when_they_are_what_is_missing) {
  use_long_tail(true);
  expect_refused(
      select({"--budget", "40", "--balance", "boundary", "--boundary-cap", "4", "--shortfall", "error"}), 5,
      {"40", "14", "26 missing", "boundar", "--boundary-cap"});
}

TEST_F(CapsAndShortfall, error_is_silent_where_the_budget_fits) {
  use_long_tail(false);
  EXPECT_EQ(selected({"--budget", "28", "--class-cap", "10", "--balance", "class", "--shortfall", "error"})
                .indices.size(),
            28U);
}

TEST_F(CapsAndShortfall, the_boundary_caps_are_raised_too_when_they_are_in_the_way) {
  use_long_tail(true);
  const Results results = selected({"--budget", "40", "--balance", "both", "--boundary-cap", "4"});
  EXPECT_EQ(results.indices.size(), 40U);
  EXPECT_EQ(column(results, "boundary", "cap_requested"), (Counts{4, 4, 4, 4}));
  EXPECT_EQ(results.summary.at("constraints").at("relaxed"), true);
}

TEST_F(CapsAndShortfall, caps_from_files) {
  use_long_tail(true);
  write("classes.csv", "class,cap\n0,3\n2,0\n");
  write("boundaries.csv", "# lower class first or last, as you like\n1,0,2\n2,1,1\n");
  const Results results = selected({"--budget", "20", "--class-cap", path("classes.csv"), "--boundary-cap",
                                    path("boundaries.csv"), "--shortfall", "stop"});
  EXPECT_EQ(column(results, "class", "cap"), (Counts{3, 5, 0, 5}));
  EXPECT_EQ(column(results, "class", "selected"), (Counts{3, 1, 0, 0}));
  EXPECT_EQ(column(results, "boundary", "selected"), (Counts{2, 1, 1, 0}));
}

TEST_F(CapsAndShortfall, bad_cap_files_name_file_line_and_remedy) {
  const auto refuse = [&](const std::string& option, const std::string& contents, int code,
                          std::initializer_list<std::string_view> parts) {
    SCOPED_TRACE(contents);
    write("caps.csv", contents);
    expect_refused(select({"--budget", "6", option, path("caps.csv")}), code, parts);
  };
  refuse("--class-cap", "0,5\n9,1\n", 3, {"caps.csv:2", "9", "0 to 3"});
  refuse("--class-cap", "0,5\n1,x\n", 3, {"caps.csv:2", "'x'"});
  refuse("--class-cap", "0,-5\n", 3, {"caps.csv:1", "-5", "negative"});
  refuse("--class-cap", "0,1\n0,2\n", 3, {"caps.csv:2", "repeated", "line 1"});
  refuse("--class-cap", "0,1,2\n", 3, {"caps.csv:1", "3 fields", "class,cap"});
  refuse("--boundary-cap", "0,1\n", 3, {"caps.csv:1", "class,class,cap"});
  refuse("--boundary-cap", "1,1,4\n", 3, {"caps.csv:1", "itself"});
}

TEST_F(CapsAndShortfall, bad_caps_on_the_command_line) {
  const auto refuse = [&](const char* option, const std::string& value, int code,
                          std::initializer_list<std::string_view> parts) {
    SCOPED_TRACE(value);
    expect_refused(select({"--budget", "6", option, value}), code, parts);
  };
  refuse("--class-cap", "0", 2, {"--class-cap", "0", "at least 1"});
  refuse("--class-cap", "-3", 2, {"--class-cap", "-3"});
  refuse("--class-cap", "2.5", 2, {"--class-cap", "2.5", "whole number"});
  refuse("--boundary-cap", "0", 2, {"--boundary-cap", "0"});
  refuse("--boundary-cap", "unifrom", 4, {"unifrom", "uniform"});
  refuse("--class-cap", path(""), 4, {"cap file"});
  refuse("--class-slack", "0.5", 2, {"--class-slack", "0.5", "at least 1"});
  refuse("--boundary-slack", "0.5", 2, {"--boundary-slack", "0.5", "at least 1"});
}

TEST_F(CapsAndShortfall, caps_whose_file_admits_nobody) {
  write("none.csv", "0,0\n1,0\n2,0\n3,0\n");
  const Outcome outcome = select({"--budget", "6", "--class-cap", path("none.csv"), "--shortfall", "error"});
  expect_refused(outcome, 5, {"no more than 0", "6 missing"});
}

TEST_F(CapsAndShortfall, augmented_picks_come_last_and_are_marked) {
  // Class 0 may give one item, boundary 0-1 too. The greedy takes item 0, which blocks both others.
  Data data{3, 2, 3, {1, 0, 0, 1, -1, 0}, {}};
  data.probs = {0.5, 0.5, 0, 0.55, 0, 0.45, 0.4, 0.6, 0};
  use(data);
  const Results results = selected({"--budget", "2", "--class-cap", "1", "--boundary-cap", "1", "--lambda",
                                    "1,0,0", "--shortfall", "error"});
  EXPECT_EQ(results.set(), (std::set<std::int64_t>{1, 2}));
  EXPECT_EQ(results.summary.at("budget").at("augmented").get<int>(),
            static_cast<int>(results.picks[0].augmented) + static_cast<int>(results.picks[1].augmented));
  EXPECT_TRUE(results.picks[1].augmented);
}

TEST_F(CapsAndShortfall, several_boundaries_an_item_say_what_is_not_decided) {
  const Arguments caps = {"--budget", "20", "--boundaries-per-item", "2", "--boundary-cap", "2"};
  const Outcome relaxed = select(caps, "relaxed");
  ASSERT_EQ(relaxed.code, 0) << relaxed.err;
  EXPECT_THAT(relaxed.out, ::testing::HasSubstr("as requested they admit no more than 13 of 20"));
  const Results results = read_results(path("relaxed"));
  EXPECT_EQ(results.indices.size(), 20U);
  EXPECT_EQ(results.summary.at("feasible_size_exact"), false);
  std::int64_t places = 0;
  for (const Json& row : results.summary.at("constraints").at("boundary")) {
    places += row.at("selected").get<std::int64_t>();
    EXPECT_LE(row.at("selected"), row.at("cap"));
  }
  EXPECT_GT(places, 20) << "picks count in each of their boundaries";
  EXPECT_THAT(select(caps + Arguments{"--shortfall", "stop"}, "stopped").out,
              ::testing::HasSubstr("not decided"));
  expect_refused(select(caps + Arguments{"--shortfall", "error"}), 5, {"infeasible", "--boundary-cap"});
  expect_refused(select({"--budget", "5", "--boundaries-per-item", "0"}), 2, {"--boundaries-per-item"});
  EXPECT_EQ(selected({"--budget", "5"}, "one").summary.at("feasible_size_exact"), true);
}

}  // namespace
}  // namespace pith::testing
