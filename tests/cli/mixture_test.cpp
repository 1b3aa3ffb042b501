#include "support/cli_case.h"

namespace pith::testing {
namespace {

class Mixture : public CliCase {};

TEST_F(Mixture, lambda_is_a_preset_of_terms) {
  const Results lambda = selected({"--budget", "12", "--lambda", "0.5,0.25,1"}, "lambda");
  const Results terms = selected(
      {"--budget", "12", "--term", "uncertainty=0.5", "--term", "diversity=0.25", "--term", "triples=1"},
      "terms");
  EXPECT_EQ(lambda.indices, terms.indices);
  EXPECT_EQ(lambda.summary.at("objective"), terms.summary.at("objective"));
  EXPECT_EQ(lambda.summary.at("certificate"), terms.summary.at("certificate"));
  EXPECT_EQ(terms.summary.at("options").at("term").size(), 3U);
}

TEST_F(Mixture, the_bound_holds_for_the_least_and_the_largest_weights) {
  for (const char* lambda :
       {"0,1.2e-45,0", "0,1e-42,0", "0,1,0", "0,1e39,0", "1e-44,1e-44,1e-44", "0,1e99,1e99"})
    for (const char* budget : {"100%", "40%"}) {
      const Results results =
          selected({"--budget", budget, "--balance", "none", "--lambda", lambda}, "weights");
      const double value = results.summary.at("objective").at("total");
      const double bound = results.summary.at("certificate").at("upper_bound");
      EXPECT_GE(bound, value) << lambda << " " << budget;
    }
}

TEST_F(Mixture, what_is_left_of_the_bound_without_its_constant_part_is_more_than_rounding_or_null) {
  // Two picks that are no neighbours lose nothing: all of f is its constant part.
  const Results results = selected({"--budget", "2", "--balance", "none", "--term", "diversity=1"});
  const Json without = results.summary.at("certificate").at("ratio_without_constant");
  EXPECT_TRUE(without.is_null() || (without >= 0 && without <= 1)) << without;
  for (const char* budget : {"20", "40"}) {
    const Json share = selected({"--budget", budget, "--balance", "none", "--lambda", "0,1,0"})
                           .summary.at("certificate")
                           .at("ratio_without_constant");
    EXPECT_TRUE(share.is_null() || (share > -1000 && share <= 1)) << share;
  }
}

TEST_F(Mixture, a_certificate_that_is_all_constant_part_says_so) {
  const Arguments flat = {"--budget", "30", "--balance", "none", "--lambda", "0.1,1,0"};
  EXPECT_LT(selected(flat).summary.at("certificate").at("ratio_without_constant"), 0);
  EXPECT_THAT(select(flat).out,
              ::testing::HasSubstr("best possible f (nothing without its constant part)\n"));
  EXPECT_THAT(select({"--budget", "9", "--lambda", "1,0.1,0"}).out,
              ::testing::ContainsRegex("best possible f \\([0-9.]+% without its constant part\\)\n"));
}

TEST_F(Mixture, a_list_in_the_file_is_the_same_as_repeating_the_option) {
  const Results repeated = selected({"--budget", "9", "--term", "facility-location=1", "--term",
                                     "graph-cut=0.5", "--graph-cut-lambda", "0.25"},
                                    "repeated");
  const std::string config =
      write("c.toml", "term = [\"facility-location=1\", \"graph-cut=0.5\"]\ngraph-cut-lambda = 0.25\n");
  const Results listed = selected({"--budget", "9", "--config", config}, "listed");
  EXPECT_EQ(repeated.indices, listed.indices);
  EXPECT_EQ(repeated.other_terms, (std::vector<std::string>{"facility-location", "graph-cut"}));
}

TEST_F(Mixture, strategies_of_one_term_are_that_mixture) {
  for (const std::string term : {"facility-location", "graph-cut"}) {
    const Results strategy = selected({"--budget", "10", "--strategy", term}, term);
    const Results mixture =
        selected({"--budget", "10", "--strategy", "submod", "--term", term + "=1"}, term + "-term");
    EXPECT_EQ(strategy.indices, mixture.indices);
  }
}

TEST_F(Mixture, a_column_of_scores_decides_where_it_is_alone) {
  std::string csv = "id,worth\n";
  for (int item = 0; item < 60; ++item) csv += fmt::format("x{},{}\n", item, item % 7);
  const std::string file = write("s.csv", csv);
  const Results results =
      selected({"--budget", "3", "--strategy", "submod", "--term", "scores=2", "--scores", file + ":worth"});
  EXPECT_EQ(results.indices, (std::vector<std::int64_t>{6, 13, 20}));
  EXPECT_EQ(results.picks[0].others, std::vector<double>{12});
  EXPECT_TRUE(results.summary.at("inputs").contains("scores"));

  std::vector<double> values(60, 0.0);
  values[41] = 1;
  const std::string npy = write("s.npy", npy_file("<f8", "(60,)", raw(values)));
  EXPECT_EQ(selected({"--budget", "1", "--strategy", "submod", "--term", "scores=1", "--scores", npy}, "npy")
                .indices,
            std::vector<std::int64_t>{41});
}

TEST_F(Mixture, dense_facility_location_needs_embeddings_and_memory) {
  const Results dense =
      selected({"--budget", "10", "--strategy", "facility-location", "--facility", "dense"}, "dense");
  EXPECT_EQ(dense.summary.at("options").at("facility"), "dense");
  ASSERT_EQ(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("g.pith")}).code, 0);
  expect_refused(run_pith({"select", "--graph", path("g.pith"), "--probs", path("p.npy"), "--budget", "3",
                           "--out", path("out"), "--strategy", "facility-location", "--facility", "dense"}),
                 2, {"--facility", "--embeddings"});
}

TEST_F(Mixture, cliques_of_four_take_the_place_of_triples) {
  const Arguments weights = {"--budget", "10", "--lambda", "0.7,0.3,1"};
  const Results quads = selected(weights + Arguments{"--clique-size", "4"}, "quads");
  const Results terms = selected(
      {"--budget", "10", "--term", "uncertainty=0.7", "--term", "diversity=0.3", "--term", "quads=1"},
      "terms");
  EXPECT_EQ(quads.indices, terms.indices);
  EXPECT_EQ(quads.other_terms, std::vector<std::string>{"quads"});
  EXPECT_NE(selected(weights, "triples").indices, quads.indices);
  expect_refused(select({"--budget", "5", "--clique-size", "5"}), 2, {"--clique-size", "3 or 4"});
  expect_refused(select({"--budget", "5", "--clique-size", "4", "--area-threshold", "1"}), 2,
                 {"--area-threshold", "volumes"});
  expect_refused(select({"--budget", "5", "--clique-size", "4", "--areas", "exact"}), 2,
                 {"--areas", "volumes"});
}

TEST_F(Mixture, exact_areas_need_the_embeddings) {
  const Results exact = selected({"--budget", "10", "--areas", "exact"}, "exact");
  const Results graph = selected({"--budget", "10"}, "graph");
  // The same triangles, whose areas differ in late digits alone.
  EXPECT_EQ(exact.summary.at("graph").at("triangles"), graph.summary.at("graph").at("triangles"));
  EXPECT_NEAR(exact.summary.at("graph").at("area_threshold").get<double>(),
              graph.summary.at("graph").at("area_threshold").get<double>(), 1e-5);
  EXPECT_NE(exact.summary.at("graph").at("area_threshold"), graph.summary.at("graph").at("area_threshold"));
  ASSERT_EQ(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("g.pith")}).code, 0);
  expect_refused(run_pith({"select", "--graph", path("g.pith"), "--probs", path("p.npy"), "--budget", "3",
                           "--out", path("out"), "--areas", "exact"}),
                 2, {"--areas", "--embeddings"});
}

TEST_F(Mixture, bad_ones_are_refused) {
  expect_refused(select({"--budget", "5", "--term", "facilty-location=1"}), 2,
                 {"--term", "facilty-location", "did you mean 'facility-location'"});
  expect_refused(select({"--budget", "5", "--term", "diversity"}), 2, {"--term", "diversity=0.3"});
  expect_refused(select({"--budget", "5", "--term", "diversity=-1"}), 2, {"--term", "at least 0"});
  expect_refused(select({"--budget", "5", "--term", "diversity=nan"}), 2, {"--term", "at least 0"});
  expect_refused(select({"--budget", "5", "--term", "diversity=1", "--term", "diversity=2"}), 2,
                 {"--term", "twice"});
  expect_refused(select({"--budget", "5", "--term", "diversity=1", "--lambda", "1,1,1"}), 2,
                 {"--term", "--lambda"});
  expect_refused(select({"--budget", "5", "--term", "scores=1"}), 2, {"--scores"});
  expect_refused(select({"--budget", "5", "--graph-cut-lambda", "0.6", "--term", "graph-cut=1"}), 2,
                 {"--graph-cut-lambda", "0.6", "monotone"});
  expect_refused(select({"--budget", "5", "--strategy", "graph-cut", "--term", "diversity=1"}), 2,
                 {"--term", "graph-cut", "submod"});
  expect_refused(select({"--budget", "5", "--scores", write("s.csv", "1\n")}), 2, {"--scores", "--term"});
}

TEST_F(Mixture, bad_scores_are_refused) {
  const auto refused = [&](const std::string& contents, std::initializer_list<std::string_view> parts,
                           const std::string& column = "") {
    expect_refused(
        select({"--budget", "5", "--term", "scores=1", "--scores", write("s.csv", contents) + column}), 3,
        parts);
  };
  std::string sixty;
  for (int item = 0; item < 60; ++item) sixty += "1\n";
  refused("1\n2\n", {"s.csv", "2 numbers for 60 items"});
  refused("-1\n" + sixty, {"s.csv", "line 1", "-1", "at least 0"});
  refused("nan\n" + sixty, {"s.csv", "line 1", "nan"});
  refused("score\n1\nx\n", {"s.csv", "line 3", "'x'"});
  refused("a,b\n1,2\n", {"s.csv", "2 columns", "'a'"});
  refused("a,b\n1,2\n", {"s.csv", "no column 'c'"}, ":c");
  refused("", {"s.csv", "empty"});
}

TEST_F(Mixture, scores_whose_sum_no_double_holds_are_refused) {
  std::string csv;
  for (int item = 0; item < 60; ++item) csv += "1e308\n";
  expect_refused(select({"--budget", "9", "--strategy", "submod", "--term", "scores=1", "--scores",
                         write("s.csv", csv)}),
                 3, {"--scores", "item 0", "1e+308", "[0, 1e+100]"});
}

TEST_F(Mixture, weights_that_are_not_in_f_are_not_told) {
  const Results results = selected({"--budget", "9", "--term", "facility-location=1"});
  EXPECT_EQ(results.summary.at("options").at("lambda"), "auto");
  const Json automatic = results.summary.value("automatic", Json::array());
  EXPECT_EQ(std::count(automatic.begin(), automatic.end(), "lambda"), 0);
}

}  // namespace
}  // namespace pith::testing
