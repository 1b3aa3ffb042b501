#include "support/cli_case.h"

namespace pith::testing {
namespace {

class BadOptions : public CliCase {
 protected:
  using Parts = std::initializer_list<std::string_view>;
  void refuse(const Arguments& more, Parts parts) const {
    SCOPED_TRACE(::testing::PrintToString(more));
    expect_refused(select(more), 2, parts);
  }
  void refuse_value(const std::string& option, const std::string& value, Parts parts) const {
    refuse({"--budget", "6", option, value}, parts);
    expect_refused(select({"--budget", "6", option, value}), 2, {option});
    expect_refused(select({"--budget", "6", option + "=" + value}), 2, parts);
  }
};

TEST_F(BadOptions, budgets) {
  refuse({"--budget", "0"}, {"--budget", "0 given", "at least 1"});
  refuse({"--budget", "-5"}, {"--budget", "-5"});
  refuse({"--budget", "0%"}, {"--budget", "0%", "above 0%"});
  refuse({"--budget", "-5%"}, {"--budget", "-5%"});
  refuse({"--budget", "150%"}, {"--budget", "150%", "at most 100%"});
  refuse({"--budget", "nan%"}, {"--budget", "nan"});
  refuse({"--budget", "abc"}, {"--budget", "'abc'", "5000", "10%"});
  refuse({"--budget", "1.5"}, {"--budget", "'1.5'"});
  refuse({"--budget", "5 "}, {"--budget", "'5 '"});
  refuse({"--budget", "99999999999999999999"}, {"--budget", "'99999999999999999999'"});
  refuse({"--budget", "61"}, {"--budget", "61", "only 60"});
  refuse({}, {"--budget is missing", "10%"});
}

TEST_F(BadOptions, caps_that_the_strategy_would_ignore) {
  refuse({"--budget", "6", "--strategy", "margin", "--class-cap", "3"},
         {"--class-cap", "margin", "--balance class"});
  refuse({"--budget", "6", "--strategy", "stratified", "--boundary-cap", "3"},
         {"--boundary-cap", "stratified", "--balance boundary"});
}

TEST_F(BadOptions, budget_above_what_is_left) {
  std::string all_but_31;
  for (int item = 0; item < 29; ++item) all_but_31 += std::to_string(item) + "\n";
  write("x.txt", all_but_31);
  for (const std::string& strategy : all_strategies()) {
    refuse({"--budget", "32", "--strategy", strategy, "--exclude", path("x.txt")},
           {"--budget", "32", "only 31 of 60", "ask for fewer"});
    refuse({"--budget", "32", "--strategy", strategy, "--labelled", path("x.txt")},
           {"--budget", "32", "only 31 of 60"});
  }
  EXPECT_EQ(selected({"--budget", "31", "--exclude", path("x.txt")}).indices.size(), 31U);
}

TEST_F(BadOptions, nothing_left_at_all) {
  std::string all;
  for (int item = 0; item < 60; ++item) all += std::to_string(item) + "\n";
  write("x.txt", all);
  refuse({"--budget", "1", "--exclude", path("x.txt")}, {"--budget", "only 0 of 60"});
  refuse({"--budget", "10%", "--exclude", path("x.txt")}, {"--budget", "only 0 of 60"});
}

TEST_F(BadOptions, values_out_of_range) {
  refuse_value("--gamma", "2", {"2", "[0,1]"});
  refuse_value("--gamma", "automatic", {"automatic", "auto"});
  refuse_value("--gamma", "nan", {"nan", "[0,1]"});
  refuse_value("--eta", "-1", {"-1", "[0,1]"});
  refuse_value("--eta", "x", {"'x'", "number"});
  refuse_value("--lambda", "1,2", {"'1,2'", "three numbers"});
  refuse_value("--lambda", "1,2,3,4", {"'1,2,3,4'", "three numbers"});
  refuse_value("--lambda", "1,,3", {"'1,,3'", "three numbers"});
  refuse_value("--lambda", "nan,1,1", {"nan", "at least 0"});
  refuse_value("--lambda", "1,-1,1", {"-1", "at least 0"});
  refuse_value("--lambda", "1,inf,1", {"inf"});
  refuse_value("--lambda", "1e308,1e308,1e308", {"1e+308"});
  refuse_value("--tau", "5", {"5", "[0,1]"});
  refuse_value("--tau", "-0.1", {"-0.1", "[0,1]"});
  refuse_value("--area-threshold", "-1", {"-1", "at least 0"});
  refuse_value("--area-threshold", "nan", {"nan"});
  refuse_value("--area-quantile", "1.5", {"1.5", "[0,1]"});
  refuse_value("--neighbors", "0", {"0", "at least 1"});
  refuse_value("--neighbors", "-3", {"'-3'"});
  refuse_value("--neighbors", "ten", {"'ten'", "whole number"});
  refuse_value("--recall", "0", {"0", "above 0", "at most 1"});
  refuse_value("--recall", "95", {"95", "at most 1"});
  refuse_value("--recall", "nan", {"nan"});
  refuse_value("--recall", "high", {"'high'", "number"});
  refuse_value("--memory", "4X", {"'4X'", "500M", "4G"});
  refuse_value("--memory", "lots", {"'lots'", "500M"});
  refuse_value("--memory", "-4G", {"'-4G'", "500M"});
  refuse_value("--memory", "1M", {"1048576 bytes", "64M"});
  refuse_value("--memory", "4", {"4 bytes", "64M"});
  refuse_value("--boundary-slack", "nan", {"nan"});
  refuse_value("--threads", "0", {"0", "1 to 4096"});
  refuse_value("--threads", "-2", {"-2"});
  refuse_value("--threads", "many", {"'many'"});
  refuse_value("--seed", "-1", {"'-1'", "from 0 up"});
  refuse_value("--seed", "1.5", {"'1.5'"});
}

TEST_F(BadOptions, misspelt_values_suggest_the_nearest) {
  refuse_value("--strategy", "submodbal", {"'submodbal'", "did you mean 'submod-bal'", "k-center"});
  refuse_value("--strategy", "kcenter", {"did you mean 'k-center'"});
  refuse_value("--strategy", "Margin", {"did you mean 'margin'"});
  refuse_value("--strategy", "qqqqqqqqqqqqqqqq", {"random", "stratified"});
  refuse_value("--metric", "cosin", {"did you mean 'cosine'", "l2"});
  refuse_value("--symmetry", "mutal", {"did you mean 'mutual'"});
  refuse_value("--knn", "exakt", {"did you mean 'exact'", "approximate", "auto"});
  refuse_value("--uncertainty", "entropie", {"did you mean 'entropy'"});
  refuse_value("--triple-scale", "maxx", {"did you mean 'max'"});
  refuse_value("--balance", "classes", {"did you mean 'class'"});
  refuse_value("--shortfall", "relaxed", {"did you mean 'relax'"});
  refuse_value("--preset", "papers", {"paper", "default"});
}

TEST_F(BadOptions, every_problem_is_told_at_once) {
  refuse({"--budget", "0", "--gamma", "2", "--tau", "5"}, {"--budget", "--gamma", "--tau"});
}

TEST_F(BadOptions, unknown_options_suggest_the_nearest) {
  refuse({"--bugdet", "5"}, {"--bugdet", "did you mean '--budget'"});
  refuse({"--budget", "5", "--strat=margin"}, {"--strat"});
  refuse({"--budget", "5", "--labeled", "x"}, {"--labeled", "did you mean '--labelled'"});
  refuse({"--budget", "5", "-k", "3"}, {"-k"});
  refuse({"--budget", "5", "stray"}, {"stray"});
  for (const Arguments& words : {Arguments{"slect"}, Arguments{"slect", "--embeddings", "e.npy"},
                                 Arguments{"slect", "--help"}, Arguments{"help", "slect"}})
    expect_refused(run_pith(words), 2, {"unknown command 'slect'", "did you mean 'select'"});
  expect_refused(run_pith({"--json", "select", "--budget", "5"}), 2, {"'--json'", "after pith select"});
  expect_refused(run_pith({"--frobnicate"}), 2, {"--frobnicate"});
  expect_refused(run_pith({"select", "graph"}), 2, {});
}

TEST_F(BadOptions, options_without_a_value_or_given_twice) {
  refuse({"--budget"}, {"--budget", "value"});
  refuse({"--budget", "5", "--budget", "6"}, {"--budget", "once"});
  refuse({"--budget", "5", "--json=maybe"}, {"--json"});
  refuse({"--budget", ""}, {"--budget", "empty"});
  refuse({"--budget", "5", "--exclude", ""}, {"--exclude", "empty"});
}

TEST_F(BadOptions, required_options_that_are_missing) {
  expect_refused(run_pith({"select", "--budget", "5", "--probs", path("p.npy"), "--out", path("out")}), 2,
                 {"--embeddings is missing", "--graph"});
  expect_refused(run_pith({"select", "--budget", "5", "--embeddings", path("e.npy"), "--out", path("out")}),
                 2, {"--probs is missing"});
  expect_refused(
      run_pith({"select", "--budget", "5", "--embeddings", path("e.npy"), "--probs", path("p.npy")}), 2,
      {"--out is missing"});
  expect_refused(run_pith({"select"}), 2, {"is missing"});
  expect_refused(run_pith({"graph", "--embeddings", path("e.npy")}), 2, {"--out is missing"});
  expect_refused(run_pith({"graph", "--out", path("out")}), 2, {"--embeddings is missing"});
  expect_refused(run_pith({"synth"}), 2, {"--out is missing"});
  expect_refused(run_pith({"info"}), 2, {"--embeddings", "--probs", "--graph"});
}

TEST_F(BadOptions, synth) {
  const auto refuse_synth = [&](const char* option, const char* value, Parts parts) {
    SCOPED_TRACE(std::string(option) + " " + value);
    expect_refused(run_pith({"synth", "--out", path("out"), option, value}), 2, parts);
  };
  refuse_synth("--items", "0", {"--items", "0"});
  refuse_synth("--items", "-1", {"--items", "-1"});
  refuse_synth("--items", "lots", {"--items", "'lots'"});
  refuse_synth("--dim", "0", {"--dim", "0"});
  refuse_synth("--dim", "4294967297", {"--dim"});
  refuse_synth("--classes", "1", {"--classes", "1", "at least 2"});
  refuse_synth("--classes", "20000", {"--classes", "20000", "more than there are items"});
  refuse_synth("--long-tail", "0.5", {"--long-tail", "0.5"});
  refuse_synth("--long-tail", "nan", {"--long-tail", "nan"});
  for (const char* value : {"0", "-1", "1e-200", "1e300"})
    refuse_synth("--spread", value, {"--spread", "given", "from 1e-100 to 1e12"});
}

TEST_F(BadOptions, the_least_and_the_most_spread_make_finite_data) {
  for (const char* spread : {"1e-100", "1e12"})
    for (const char* intrinsic : {"0", "64"}) {
      SCOPED_TRACE(std::string(spread) + " " + intrinsic);
      ASSERT_EQ(run_pith({"synth", "--items", "300", "--spread", spread, "--intrinsic", intrinsic, "--out",
                          path("toy")})
                    .code,
                0);
      const Outcome info =
          run_pith({"info", "--embeddings", path("toy/embeddings.npy"), "--probs", path("toy/probs.npy")});
      EXPECT_EQ(info.code, 0) << info.err;
    }
}

}  // namespace
}  // namespace pith::testing
