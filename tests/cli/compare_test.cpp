#include "support/cli_case.h"

namespace pith::testing {
namespace {

using ::testing::HasSubstr;

class Compare : public CliCase {
 protected:
  [[nodiscard]] Outcome compared(const Arguments& more) const {
    return run_pith(
        Arguments{"compare", "--embeddings", path("e.npy"), "--probs", path("p.npy"), "--budget", "12"} +
        more);
  }
};

TEST_F(Compare, a_table_a_csv_and_json_tell_the_same) {
  const Outcome text =
      compared({"--strategies", "submod-bal,entropy,random", "--out", path("t.csv"), "--seed", "4"});
  ASSERT_EQ(text.code, 0) << text.err;
  for (const char* part : {"submod-bal", "entropy", "random", "radius", "overlap"})
    EXPECT_THAT(text.out, HasSubstr(part));
  const auto records = csv_records(file_contents(path("t.csv")));
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[0][0], "strategy");
  const Outcome outcome =
      compared({"--strategies", "submod-bal", "--strategies", "entropy,random", "--json", "--seed", "4"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  ASSERT_EQ(json.at("strategies").size(), 3U);
  for (std::size_t row = 0; row < 3; ++row) {
    const Json& one = json.at("strategies")[row];
    EXPECT_EQ(one.at("strategy"), records[row + 1][0]);
    EXPECT_EQ(one.at("indices").size(), 12U);
    for (std::size_t column = 1; column < records[0].size(); ++column) {
      const std::string& name = records[0][column];
      if (name == "seconds" || name == "memory_bytes") continue;
      const double expected = name.starts_with("overlap_")
                                  ? json.at("jaccard")[row][column - 10].get<double>()
                                  : one.at(name).get<double>();
      EXPECT_DOUBLE_EQ(std::stod(records[row + 1][column]), expected) << name;
    }
    EXPECT_EQ(json.at("jaccard")[row][row], 1.0);
  }
  EXPECT_EQ(json.at("jaccard")[0][2], json.at("jaccard")[2][0]);
  const Results alone = selected({"--budget", "12", "--strategy", "entropy"});
  EXPECT_EQ(json.at("strategies")[1].at("indices").get<std::vector<std::int64_t>>(), alone.indices);
}

TEST_F(Compare, a_saved_graph_has_no_radius) {
  ASSERT_EQ(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("g.pith")}).code, 0);
  const Outcome outcome = run_pith({"compare", "--graph", path("g.pith"), "--probs", path("p.npy"),
                                    "--budget", "6", "--strategies", "submod,margin", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(Json::parse(outcome.out).at("strategies")[0].at("coverage_radius").is_null());
}

/// --optimizer is about the greedy on f; the others run as they always do.
TEST_F(Compare, options_of_some_strategies_are_left_out_for_others) {
  const Outcome outcome = compared({"--strategies", "submod,gist,dpp,typiclust,margin", "--optimizer",
                                    "stochastic", "--seed", "4", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  for (std::size_t row = 1; row < 5; ++row) {
    const Json& one = json.at("strategies")[row];
    EXPECT_EQ(one.at("indices").get<std::vector<std::int64_t>>(),
              selected({"--budget", "12", "--strategy", one.at("strategy").get<std::string>()}).indices);
  }
}

/// Found out before any work: the strategies would take long.
TEST_F(Compare, a_table_that_cannot_be_written_is_refused_before_files_are_read) {
  expect_refused(run_pith({"compare", "--embeddings", path("absent.npy"), "--probs", path("p.npy"),
                           "--budget", "6", "--strategies", "submod", "--out", path("no/t.csv")}),
                 4, {path("no/t.csv"), "cannot create"});
  expect_refused(compared({"--strategies", "submod", "--out", path("")}), 4, {"is a folder"});
}

TEST_F(Compare, blanks_around_names_do_not_matter_and_one_is_no_plural) {
  const Outcome two = compared({"--strategies", " margin, random "});
  ASSERT_EQ(two.code, 0) << two.err;
  EXPECT_THAT(two.out, HasSubstr("2 strategies on 60 items"));
  const Outcome one = compared({"--strategies", "margin"});
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("1 strategy on 60 items"));
}

TEST_F(Compare, options_that_none_uses_are_told) {
  const Outcome none = compared({"--strategies", "margin,random", "--class-cap", "4"});
  ASSERT_EQ(none.code, 0) << none.err;
  EXPECT_THAT(none.out, HasSubstr("note: --class-cap is used by none of these: no class caps hold here\n"));
  const Outcome one = compared({"--strategies", "margin,submod-bal", "--class-cap", "4"});
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, ::testing::Not(HasSubstr("is used by none")));
}

TEST_F(Compare, bad_ones_are_refused) {
  expect_refused(compared({}), 2, {"--strategies is missing"});
  expect_refused(compared({"--strategies", "submod,margni"}), 2,
                 {"--strategies: ", "margni", "did you mean 'margin'"});
  expect_refused(compared({"--strategies", "submod,submod"}), 2, {"--strategies", "twice"});
  expect_refused(compared({"--strategies", "submod", "--gamma", "2"}), 2, {"--gamma"});
  expect_refused(compared({"--strategies", "submod", "--budget-cost", "2"}), 2, {"--budget-cost"});
}

TEST_F(Compare, picks_nobody_took_have_no_distances) {
  const Outcome outcome =
      compared({"--strategies", "margin,random", "--balance", "class", "--class-cap",
                write("none.csv", "0,0\n1,0\n2,0\n3,0\n"), "--shortfall", "stop", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  for (const Json& one : json.at("strategies")) {
    EXPECT_TRUE(one.at("indices").empty());
    EXPECT_TRUE(one.at("coverage_radius").is_null()) << one;
    EXPECT_TRUE(one.at("mean_distance").is_null()) << one;
  }
}

}  // namespace
}  // namespace pith::testing
