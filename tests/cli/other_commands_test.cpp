#include "support/cli_case.h"

namespace pith::testing {
namespace {

using ::testing::HasSubstr;

class OtherCommands : public CliCase {
 protected:
  [[nodiscard]] static Json json_of(const Arguments& arguments) {
    const Outcome outcome = run_pith(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return Json::parse(outcome.out);
  }
};

TEST_F(OtherCommands, info_counts_what_is_there) {
  Data data = make_data(50, 3, 4, 1);
  std::fill_n(data.embeddings.begin() + 9, 6, 0.0F);
  std::copy_n(data.embeddings.begin(), 3, data.embeddings.begin() + 30);
  use(data);
  const Json info = json_of({"info", "--embeddings", path("e.npy"), "--probs", path("p.npy"), "--json"});
  EXPECT_EQ(info["embeddings"]["items"], 50);
  EXPECT_EQ(info["embeddings"]["dimension"], 3);
  EXPECT_EQ(info["embeddings"]["zero_vectors"], 2);
  EXPECT_EQ(info["embeddings"]["duplicates"], 2);
  std::vector<int> sizes(4, 0);
  double confidence = 0;
  for (std::size_t item = 0; item < 50; ++item) {
    const double* row = data.probs.data() + item * 4;
    const double* best = std::max_element(row, row + 4);
    ++sizes[static_cast<std::size_t>(best - row)];
    confidence += *best / 50;
  }
  EXPECT_EQ(info["probs"]["class_sizes"], Json(sizes));
  EXPECT_NEAR(info["probs"]["mean_confidence"], confidence, 1e-12);
  int on_boundaries = info["probs"]["beyond_boundaries"];
  for (const Json& boundary : info["probs"]["boundaries"]) on_boundaries += boundary["items"].get<int>();
  EXPECT_EQ(on_boundaries, 50);
}

TEST_F(OtherCommands, info_in_words) {
  const Outcome outcome = run_pith({"info", "--embeddings", path("e.npy"), "--probs", path("p.npy")});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part :
       {"60 items x 5", "60 items x 4 classes", "duplicates", "zero rows", "classes", "boundaries", "margin"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
}

TEST_F(OtherCommands, info_warns) {
  std::vector<double> one_hot(60 * 4, 0.0);
  for (std::size_t item = 0; item < 60; ++item) one_hot[item * 4] = 1;
  write("p.npy", npy_f8(one_hot, 60));
  const Json info = json_of({"info", "--probs", path("p.npy"), "--json"});
  EXPECT_GE(info["probs"]["warnings"].size(), 3U) << info;
  const Outcome text = run_pith({"info", "--probs", path("p.npy")});
  for (const char* part : {"one-hot", "overconfident", "predicted for no item"})
    EXPECT_THAT(text.out, HasSubstr(part));
}

TEST_F(OtherCommands, info_tells_of_different_row_counts) {
  write("p.npy", npy_f8(make_data(61, 2, 4, 1).probs, 61));
  const Arguments arguments = {"info", "--embeddings", path("e.npy"), "--probs", path("p.npy")};
  EXPECT_THAT(run_pith(arguments).out, HasSubstr("60 rows"));
  EXPECT_EQ(json_of(arguments + Arguments{"--json"})["warnings"].size(), 1U);
}

TEST_F(OtherCommands, info_of_logits_and_tau) {
  std::vector<double> logits;
  for (const double p : data_.probs) logits.push_back(std::log(p) + 2);
  write("l.npy", npy_f8(logits, 60));
  const Json probs = json_of({"info", "--probs", path("p.npy"), "--json"})["probs"];
  const Json from_logits = json_of({"info", "--probs", path("l.npy"), "--logits", "--json"})["probs"];
  EXPECT_EQ(probs["class_sizes"], from_logits["class_sizes"]);
  EXPECT_EQ(json_of({"info", "--probs", path("p.npy"), "--tau", "1", "--json"})["probs"]["beyond_boundaries"],
            60);
  expect_refused(run_pith({"info", "--probs", path("p.npy"), "--tau", "5"}), 2, {"--tau", "5", "[0,1]"});
}

TEST_F(OtherCommands, graph_with_statistics_and_recall) {
  const Json graph = json_of({"graph", "--embeddings", path("e.npy"), "--out", path("g.pith"), "--stats",
                              "--json", "--recall-sample", "20", "--neighbors", "6"});
  EXPECT_EQ(graph["items"], 60);
  EXPECT_EQ(graph["neighbors"], 6);
  EXPECT_EQ(graph["recall"], 1.0);
  EXPECT_EQ(graph["recall_measured"], 1.0);
  EXPECT_GE(graph["stats"]["min_degree"], 6);
  EXPECT_NEAR(graph["stats"]["mean_degree"].get<double>() * 60, 2 * graph["edges"].get<double>(), 1e-6);
  const Json info = json_of({"info", "--graph", path("g.pith"), "--json"})["graph"];
  for (const char* key :
       {"items", "edges", "neighbors", "method", "recall", "recall_interval", "fingerprint", "stats"})
    EXPECT_EQ(info[key], graph[key]) << key;
  const Outcome text = run_pith(
      {"graph", "--embeddings", path("e.npy"), "--out", path("g.pith"), "--stats", "--recall-sample", "20"});
  for (const char* part : {"60 items", "10 each, exact, recall 1", "degree", "components", "on the sample"})
    EXPECT_THAT(text.out, HasSubstr(part));
  EXPECT_THAT(run_pith({"info", "--graph", path("g.pith")}).out, HasSubstr("60 items"));
}

TEST_F(OtherCommands, graph_is_the_same_file_for_any_number_of_threads) {
  for (const std::string metric : {"cosine", "l2", "l1"})
    for (const char* symmetry : {"union", "mutual"}) {
      std::string first;
      for (const char* threads : {"1", "2", "4"}) {
        const Outcome outcome =
            run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("g.pith"), "--metric", metric,
                      "--symmetry", symmetry, "--threads", threads, "--quiet"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out + outcome.err, "");
        const std::string bytes = file_contents(path("g.pith"));
        if (first.empty()) first = bytes;
        EXPECT_EQ(bytes, first) << metric << ' ' << symmetry << ' ' << threads;
      }
    }
}

TEST_F(OtherCommands, graph_refuses_bad_options) {
  const Arguments graph = {"graph", "--embeddings", path("e.npy"), "--out", path("out")};
  expect_refused(run_pith(graph + Arguments{"--neighbors", "60"}), 2, {"--neighbors", "60", "59"});
  expect_refused(run_pith(graph + Arguments{"--neighbors", "0"}), 2, {"--neighbors", "0"});
  expect_refused(run_pith(graph + Arguments{"--recall", "2", "--memory", "1K"}), 2,
                 {"--recall: 2 given", "--memory: 1024 bytes given", "64M"});
  expect_refused(run_pith(graph + Arguments{"--knn", "fast"}), 2, {"--knn", "'fast'", "approximate"});
  expect_refused(run_pith(graph + Arguments{"--recall-sample", "0"}), 2, {"--recall-sample", "0"});
  expect_refused(run_pith(graph + Arguments{"--recall-sample", "x"}), 2, {"--recall-sample", "'x'"});
  expect_refused(run_pith(graph + Arguments{"--recall-sample", "3", "--seed", "-1"}), 2, {"--seed", "-1"});
}

TEST_F(OtherCommands, synth_depends_on_the_seed_and_not_on_threads) {
  const auto make = [&](const std::string& out, const char* seed, const char* threads) {
    const Outcome outcome =
        run_pith({"synth", "--items", "3000", "--dim", "7", "--classes", "5", "--long-tail", "20", "--seed",
                  seed, "--threads", threads, "--out", path(out)});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return file_contents(path(out + "/embeddings.npy")) + file_contents(path(out + "/probs.npy")) +
           file_contents(path(out + "/labels.npy"));
  };
  const std::string first = make("a", "3", "1");
  EXPECT_EQ(make("b", "3", "4"), first);
  EXPECT_NE(make("c", "4", "1"), first);
}

TEST_F(OtherCommands, synth_makes_what_was_asked_for) {
  ASSERT_EQ(run_pith({"synth", "--items", "1000", "--dim", "7", "--classes", "5", "--long-tail", "20",
                      "--out", path("toy"), "--quiet"})
                .out,
            "");
  const auto labels = int64_npy(file_contents(path("toy/labels.npy")));
  std::vector<int> sizes(5, 0);
  for (const std::int64_t label : labels) ++sizes.at(static_cast<std::size_t>(label));
  EXPECT_EQ(labels.size(), 1000U);
  EXPECT_TRUE(std::is_sorted(sizes.rbegin(), sizes.rend()));
  EXPECT_NEAR(static_cast<double>(sizes[0]) / sizes[4], 20, 3);
  const Json info = json_of(
      {"info", "--embeddings", path("toy/embeddings.npy"), "--probs", path("toy/probs.npy"), "--json"});
  EXPECT_EQ(info["embeddings"]["items"], 1000);
  EXPECT_EQ(info["embeddings"]["dimension"], 7);
  EXPECT_EQ(info["probs"]["classes"], 5);
}

}  // namespace
}  // namespace pith::testing
