#include "support/cli_case.h"

namespace pith::testing {
namespace {

class Config : public CliCase {
 protected:
  [[nodiscard]] Outcome with(const std::string& toml, const Arguments& more = {}) const {
    return select(Arguments{"--config", write("c.toml", toml)} + more);
  }
};

TEST_F(Config, every_kind_of_value_is_read) {
  const Outcome outcome = with(R"(
strategy = "submod-bal"
budget = "15%"
seed = 4
lambda = [0.5, 0.25, 1]
gamma = 0.5
neighbors = 6
knn = "exact"
recall = 0.9
memory = "1G"
class-cap = 5
quiet = true
threads = 2
preset = "paper"
)");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const Results results = read_results(path("out"));
  EXPECT_EQ(results.indices.size(), 9U);
  const Json& options = results.summary.at("options");
  EXPECT_EQ(options.at("lambda"), Json::parse("[0.5, 0.25, 1.0]"));
  EXPECT_EQ(options.at("neighbors"), 6);
  EXPECT_EQ(options.at("knn"), "exact");
  EXPECT_EQ(options.at("recall"), 0.9);
  EXPECT_EQ(options.at("memory"), 1 << 30);
  EXPECT_EQ(options.at("class-cap"), 5);
  EXPECT_EQ(options.at("seed"), 4);
  EXPECT_EQ(options.at("triple-scale"), "none");
  EXPECT_EQ(results.summary.at("threads"), 2);
}

TEST_F(Config, the_file_may_name_the_inputs) {
  const std::string toml = "embeddings = '" + path("e.npy") + "'\nprobs = '" + path("p.npy") + "'\nout = '" +
                           path("out") + "'\nbudget = 6\n";
  const Outcome outcome = run_pith({"select", "--config", write("c.toml", toml)});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_results(path("out")).indices.size(), 6U);
}

TEST_F(Config, the_command_line_wins) {
  const Outcome outcome =
      with("budget = 5\nstrategy = \"random\"\n", {"--budget", "8", "--strategy", "margin"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Results results = read_results(path("out"));
  EXPECT_EQ(results.indices.size(), 8U);
  EXPECT_EQ(results.summary.at("strategy"), "margin");
}

TEST_F(Config, options_may_stand_under_the_name_of_the_command) {
  const Outcome outcome = with("[select]\nbudget = 5\n");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_results(path("out")).indices.size(), 5U);
}

TEST_F(Config, unknown_keys_suggest_the_nearest_and_name_the_line) {
  expect_refused(with("budget = 5\nstratgy = \"margin\"\n"), 2,
                 {"c.toml", "line 2", "'stratgy'", "did you mean 'strategy'"});
  expect_refused(with("budget = 5\n\n[select]\nstratgy = \"margin\"\n"), 2,
                 {"c.toml", "line 4", "'stratgy'", "did you mean 'strategy'"});
  expect_refused(with("budget = 5\nzzzzzzzzzzzz = 1\n"), 2, {"c.toml", "line 2", "'zzzzzzzzzzzz'"});
}

TEST_F(Config, bad_toml_names_the_line) {
  expect_refused(with("budget = 5\nseed = \n"), 2, {"c.toml", "line 2"});
  expect_refused(with("budget = 5\nbudget = 6\n"), 2, {"c.toml", "line 2"});
  expect_refused(with("budget = 5\nids = \"unclosed\n"), 2, {"c.toml", "line 2"});
  expect_refused(with(std::string("budget = \0 5\n", 13)), 2, {"c.toml", "line 1"});
  expect_refused(with("\xff\xfe\n"), 2, {"c.toml", "line 1"});
}

TEST_F(Config, a_text_without_quotes_is_told_of_them) {
  expect_refused(with("budget = 5\nstrategy = margin\n"), 2, {"c.toml", "line 2", "texts stand in quotes"});
  const Outcome other = with("budget = 5\nseed = 4x\n");
  expect_refused(other, 2, {"c.toml", "line 2"});
  EXPECT_THAT(other.err, ::testing::Not(::testing::HasSubstr("quotes")));
}

TEST_F(Config, values_of_the_wrong_kind) {
  expect_refused(with("budget = 5\nseed = \"x\"\n"), 2, {"--seed", "'x'"});
  expect_refused(with("budget = 0.5\n"), 2, {"--budget", "'0.5'", "10%"});
  expect_refused(with("budget = 5\nquiet = 3\n"), 2, {"c.toml", "line 2", "'quiet'", "true or false"});
  expect_refused(with("budget = 5\nmetric = {a = 1}\n"), 2, {"c.toml", "line 2", "'metric'"});
  expect_refused(with("budget = 5\nlambda = [1, 2]\n"), 2, {"--lambda", "'1,2'", "three numbers"});
  expect_refused(with("budget = 5\ngamma = nan\n"), 2, {"--gamma", "nan"});
  expect_refused(with("budget = 5\nlambda = 1979-05-27\n"), 2, {"c.toml", "line 2", "'lambda'"});
}

TEST_F(Config, a_file_that_cannot_be_read) {
  expect_refused(select({"--budget", "5", "--config", path("none.toml")}), 4, {"none.toml", "cannot open"});
  expect_refused(select({"--budget", "5", "--config", path("")}), 4, {"cannot", "irectory"});
}

}  // namespace
}  // namespace pith::testing
