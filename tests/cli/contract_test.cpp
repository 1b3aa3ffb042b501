#include "support/cli_case.h"

namespace pith::testing {
namespace {

class Contract : public CliCase {};

TEST_F(Contract, every_spelling_is_accepted) {
  write("classes.csv", "class,cap\n0,5\n3,2\n");
  write("boundaries.csv", "0,1,4\n2,1,3\n");
  const std::vector<Arguments> spellings = {
      {"--budget", "10%"},
      {"--budget=7"},
      {"--seed", "0"},
      {"--seed", "18446744073709551615"},
      {"--threads", "2"},
      {"--neighbors", "10"},
      {"--neighbors", "59"},
      {"--metric", "cosine"},
      {"--metric", "l2"},
      {"--metric", "l1"},
      {"--symmetry", "union"},
      {"--symmetry", "mutual"},
      {"--knn", "exact"},
      {"--knn", "approximate"},
      {"--knn", "auto"},
      {"--recall", "0.99"},
      {"--recall", "1"},
      {"--memory", "64M"},
      {"--memory", "1.5GiB"},
      {"--memory", "4000000000"},
      {"--uncertainty", "margin"},
      {"--uncertainty", "entropy"},
      {"--uncertainty", "least-confidence"},
      {"--lambda", "0.7,0.3,1"},
      {"--lambda", "0,0,0"},
      {"--gamma", "1"},
      {"--gamma", "0"},
      {"--eta", "1"},
      {"--eta", "0"},
      {"--area-threshold", "0.1"},
      {"--area-quantile", "0.25"},
      {"--triple-scale", "max"},
      {"--triple-scale", "mean"},
      {"--triple-scale", "none"},
      {"--balance", "both"},
      {"--balance", "class"},
      {"--balance", "boundary"},
      {"--balance", "none"},
      {"--tau", "0.05"},
      {"--class-cap", "4"},
      {"--class-cap", path("classes.csv")},
      {"--boundary-cap", "uniform"},
      {"--boundary-cap", "proportional"},
      {"--boundary-cap", "3"},
      {"--boundary-cap", path("boundaries.csv")},
      {"--boundary-slack", "2"},
      {"--shortfall", "relax"},
      {"--shortfall", "stop"},
      {"--shortfall", "error"},
      {"--preset", "default"},
      {"--preset", "paper"},
  };
  for (const Arguments& spelling : spellings) {
    SCOPED_TRACE(::testing::PrintToString(spelling));
    const bool own_budget = spelling[0].starts_with("--budget");
    const Results results = selected(own_budget ? spelling : spelling + Arguments{"--budget", "6"});
    EXPECT_EQ(results.indices.size(), spelling[0] == "--budget=7" ? 7U : 6U);
  }
  for (const std::string& strategy : all_strategies()) {
    SCOPED_TRACE(strategy);
    const Results results = selected({"--budget", "9", "--strategy", strategy});
    EXPECT_EQ(results.indices.size(), 9U);
    EXPECT_EQ(results.summary.at("strategy"), strategy);
  }
}

TEST_F(Contract, summary_has_every_key) {
  const Json summary = selected({"--budget", "10%"}).summary;
  EXPECT_EQ(summary.at("budget").at("requested"), 6);
  EXPECT_EQ(summary.at("budget").at("selected"), 6);
  EXPECT_EQ(summary.at("budget").at("augmented"), 0);
  for (const char* key : {"total", "uncertainty", "diversity", "triple"})
    EXPECT_TRUE(summary.at("objective").at(key).is_number()) << key;
  for (const char* key : {"upper_bound", "ratio", "ratio_without_constant"})
    EXPECT_TRUE(summary.at("certificate").at(key).is_number()) << key;
  for (const char* kind : {"class", "boundary"})
    for (const Json& row : summary.at("constraints").at(kind)) {
      EXPECT_TRUE(row.at("label").is_string());
      for (const char* key : {"available", "cap", "cap_requested", "selected"})
        EXPECT_TRUE(row.at(key).is_number_integer()) << key;
    }
  EXPECT_EQ(summary.at("constraints").at("class").size(), 4U);
  EXPECT_TRUE(summary.at("constraints").at("relaxed").is_boolean());
  EXPECT_TRUE(summary.at("feasible_size").is_number_integer());
  for (const char* key : {"neighbors", "edges", "triangles", "area_threshold", "recall"})
    EXPECT_TRUE(summary.at("graph").at(key).is_number()) << key;
  EXPECT_TRUE(summary.at("graph").at("method").is_string());
  EXPECT_EQ(summary.at("graph").at("neighbors"), 10);
  EXPECT_EQ(summary.at("graph").at("recall"), 1.0);
  EXPECT_TRUE(summary.at("graph").at("recall_interval").is_null());
  EXPECT_TRUE(summary.at("graph").contains("reason"));
  double total = 0;
  for (const auto& [stage, seconds] : summary.at("seconds").items())
    if (stage != "total") total += seconds.get<double>();
  EXPECT_NEAR(summary.at("seconds").at("total").get<double>(), total, 1e-9);
  EXPECT_GT(summary.at("seconds").size(), 4U);
  EXPECT_GT(summary.at("peak_rss_bytes").get<std::int64_t>(), 1 << 20);
  EXPECT_TRUE(summary.at("version").is_string());
  for (const char* role : {"embeddings", "probs"}) {
    EXPECT_TRUE(summary.at("inputs").at(role).at("checksum").get<std::string>().starts_with("xxh3:"));
    EXPECT_TRUE(summary.at("inputs").at(role).at("path").is_string());
  }
}

TEST_F(Contract, options_are_reported_as_in_force) {
  const Json options = selected({"--budget",
                                 "12.5%",
                                 "--seed",
                                 "7",
                                 "--lambda",
                                 "0.5,0.25,2",
                                 "--gamma",
                                 "0.5",
                                 "--eta",
                                 "0.75",
                                 "--area-threshold",
                                 "0.3",
                                 "--triple-scale",
                                 "mean",
                                 "--tau",
                                 "0.1",
                                 "--class-cap",
                                 "4",
                                 "--boundary-cap",
                                 "proportional",
                                 "--boundary-slack",
                                 "3",
                                 "--shortfall",
                                 "stop",
                                 "--metric",
                                 "l2",
                                 "--symmetry",
                                 "mutual",
                                 "--neighbors",
                                 "5",
                                 "--knn",
                                 "exact",
                                 "--recall",
                                 "0.9",
                                 "--memory",
                                 "500M",
                                 "--uncertainty",
                                 "entropy",
                                 "--balance",
                                 "class"})
                           .summary.at("options");
  const Json expected =
      Json::parse(R"({"budget": "12.5%", "seed": 7, "lambda": [0.5, 0.25, 2.0], "gamma": 0.5,
    "eta": 0.75, "area-threshold": 0.3, "triple-scale": "mean", "tau": 0.1, "class-cap": 4,
    "boundary-cap": "proportional", "boundary-slack": 3.0, "shortfall": "stop", "metric": "l2",
    "symmetry": "mutual", "neighbors": 5, "knn": "exact", "recall": 0.9, "memory": 524288000, "uncertainty": "entropy", "balance": "class",
    "strategy": "submod-bal"})");
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(options.at(key), value) << key;
}

TEST_F(Contract, a_model_that_is_sure_of_nearly_everything_has_its_few_doubts_taken_first) {
  std::vector<double> probs;
  for (std::size_t item = 0; item < 60; ++item) {
    const double second = item % 10 == 3 ? 0.3 + 0.001 * static_cast<double>(item) : 0.001;
    probs.insert(probs.end(), {1 - second, second});
  }
  write("p.npy", npy_f8(probs, 60));
  const Outcome outcome = select({"--budget", "50%", "--balance", "none"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ::testing::HasSubstr("weights      7000, 0.3, 1 for uncertainty"));
  const Results results = selected({"--budget", "50%", "--balance", "none"});
  ASSERT_EQ(results.indices.size(), 30U);
  for (std::size_t at = 0; at < 6; ++at) EXPECT_EQ(results.indices[at], 53 - 10 * at);
}

TEST_F(Contract, automatic_weights_are_reported_as_in_force) {
  const auto in_force = [&](const Arguments& more) { return selected(more).summary.at("options"); };
  EXPECT_LT(in_force({"--budget", "1"}).at("lambda").at(0), 0.7);
  EXPECT_EQ(in_force({"--budget", "1"}), in_force({"--budget", "1", "--lambda", "auto"}));
  EXPECT_EQ(in_force({"--budget", "1"}).at("gamma"), 1.0);
  const Json all = in_force({"--budget", "60", "--gamma", "auto"});
  EXPECT_GT(all.at("lambda").at(0), 0.7);
  EXPECT_LT(all.at("gamma"), 1.0);
  EXPECT_NEAR(all.at("lambda").at(0).get<double>() * all.at("gamma").get<double>(), 0.7, 1e-12);
  EXPECT_EQ(in_force({"--budget", "60", "--strategy", "submod"}).at("lambda"), Json::parse("[0.7, 0.3, 0.0]"))
      << "a baseline stays what it is";
  EXPECT_EQ(selected({"--budget", "1"}).summary.at("automatic"), Json::parse(R"(["lambda"])"));
  EXPECT_EQ(selected({"--budget", "1", "--lambda", "1,1,1"}).summary.at("automatic"), Json::array());
  // Given back as they were in force, they choose the same.
  const Json half = in_force({"--budget", "30", "--lambda", "auto"});
  const std::string same = fmt::format("{},0.3,1", half.at("lambda").at(0).get<double>());
  EXPECT_EQ(selected({"--budget", "30", "--lambda", "auto"}).indices,
            selected({"--budget", "30", "--lambda", same}).indices);
}

TEST_F(Contract, budget_share_is_rounded_and_never_nothing) {
  EXPECT_EQ(selected({"--budget", "10%"}).indices.size(), 6U);
  EXPECT_EQ(selected({"--budget", "0.001%"}).indices.size(), 1U);
  EXPECT_EQ(selected({"--budget", "12.5%"}).indices.size(), 8U);
  EXPECT_EQ(selected({"--budget", "100%"}).indices.size(), 60U);
}

TEST_F(Contract, json_is_the_summary_and_stands_alone) {
  const Outcome outcome = select({"--budget", "6", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(Json::parse(outcome.out), Json::parse(file_contents(path("out/summary.json"))));
}

TEST_F(Contract, json_needs_no_folder) {
  const Outcome outcome = run_pith(
      {"select", "--embeddings", path("e.npy"), "--probs", path("p.npy"), "--budget", "6", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(Json::parse(outcome.out).at("budget").at("selected"), 6);
}

TEST_F(Contract, quiet_prints_nothing) {
  const Outcome outcome = select({"--budget", "6", "--quiet"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(read_results(path("out")).indices.size(), 6U);
}

TEST_F(Contract, the_human_summary_says_what_was_done_and_where) {
  const Outcome outcome = select({"--budget", "6"});
  for (const char* part : {"6 of 60", "submod-bal", "best possible", "classes", "boundaries",
                           "10 neighbours each", "recall 1", "summary.json"})
    EXPECT_THAT(outcome.out, ::testing::HasSubstr(part));
}

TEST_F(Contract, exactly_three_files_are_written) {
  selected({"--budget", "6"});
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path("out")))
    names.insert(entry.path().filename().string());
  EXPECT_EQ(names, (std::set<std::string>{"indices.npy", "selection.csv", "summary.json"}));
  expect_no_leftovers();
}

TEST_F(Contract, folders_above_the_output_are_made) {
  EXPECT_EQ(selected({"--budget", "6"}, "a/b/c/").indices.size(), 6U);
  expect_no_leftovers();
}

TEST_F(Contract, paper_preset_is_literal_and_the_command_line_wins_over_it) {
  const Json options = selected({"--budget", "6", "--preset", "paper"}).summary.at("options");
  EXPECT_EQ(options.at("boundary-cap"), "proportional");
  EXPECT_EQ(options.at("triple-scale"), "none");
  EXPECT_EQ(options.at("lambda"), Json::parse("[0.7, 0.3, 1.0]"));
  EXPECT_EQ(options.at("gamma"), 1.0);
  EXPECT_EQ(options.at("class-slack"), 1.0);
  const Json mixed =
      selected({"--triple-scale", "mean", "--budget", "6", "--preset", "paper"}).summary.at("options");
  EXPECT_EQ(mixed.at("boundary-cap"), "proportional");
  EXPECT_EQ(mixed.at("triple-scale"), "mean");
}

TEST_F(Contract, gains_of_plain_submod_never_rise) {
  use(make_data(200, 6, 5, 3));
  const Results results = selected({"--budget", "100%", "--strategy", "submod"});
  for (std::size_t at = 1; at < results.picks.size(); ++at)
    EXPECT_LE(results.picks[at].gain, results.picks[at - 1].gain) << at;
  EXPECT_EQ(results.indices.size(), 200U);
}

TEST_F(Contract, a_prefix_is_the_answer_for_a_smaller_budget_with_the_same_weights) {
  const Arguments weights = {"--strategy", "submod"};
  const Results all = selected(Arguments{"--budget", "30"} + weights);
  const Results few = selected(Arguments{"--budget", "11"} + weights);
  EXPECT_TRUE(std::equal(few.indices.begin(), few.indices.end(), all.indices.begin()));
}

}  // namespace
}  // namespace pith::testing
