#include "support/cli_case.h"
#include "support/page_data.h"

namespace pith::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Rounds : public CliCase {
 protected:
  void SetUp() override {
    use(make_data(120, 5, 4, 6));
    std::string ids;
    for (int item = 0; item < 120; ++item) ids += fmt::format("i{}\n", item);
    write("ids.txt", ids);
  }
  [[nodiscard]] Outcome round(const Arguments& more) const {
    return run_pith(Arguments{"round", path("work")} + more);
  }
  [[nodiscard]] Outcome first(const Arguments& more = {}) const {
    return round(Arguments{"--embeddings", path("e.npy"), "--probs", path("p.npy"), "--ids", path("ids.txt"),
                           "--budget", "10", "--neighbors", "6"} +
                 more);
  }
  /// Labels for the picks of a round but the last `open` of them, as a table by id.
  std::string label(const std::string& name, const Results& results, std::size_t open = 0,
                    int label_as = 2) const {
    std::string csv = "id,label\n";
    for (std::size_t at = 0; at + open < results.picks.size(); ++at)
      csv += fmt::format("{},{}\n", results.picks[at].id, label_as);
    return write(name, csv);
  }
  [[nodiscard]] Results results_of(const std::string& name) const {
    Results results = read_results(path("work/" + name));
    expect_consistent(results);
    return results;
  }
};

TEST_F(Rounds, each_starts_from_what_the_ones_before_labelled) {
  const Outcome begun = first();
  ASSERT_EQ(begun.code, 0) << begun.err;
  EXPECT_THAT(begun.out, HasSubstr("Round 1"));
  const Results one = results_of("round-1");
  EXPECT_EQ(one.summary["graph"]["neighbors"], 6);
  const std::string graph = file_contents(path("work/graph.pith"));
  EXPECT_FALSE(graph.empty());

  const Outcome second = round({"--labels", label("one.csv", one, 3)});
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_THAT(second.out, HasSubstr("Read 7 labels of round-1; 3 of its picks have none yet"));
  const Results two = results_of("round-2");
  EXPECT_EQ(two.summary["budget"]["labelled"], 7);
  EXPECT_EQ(two.summary["graph"]["neighbors"], 6) << "the graph is shared";
  EXPECT_EQ(file_contents(path("work/graph.pith")), graph);
  for (std::size_t at = 0; at < 7; ++at) EXPECT_FALSE(two.set().contains(one.indices[at]));

  // The same as selecting by hand from the same list.
  ASSERT_EQ(run_pith({"select", "--graph", path("work/graph.pith"), "--embeddings", path("e.npy"), "--probs",
                      path("p.npy"), "--ids", path("ids.txt"), "--labelled", path("work/labelled-2.csv"),
                      "--budget", "10", "--out", path("out")})
                .code,
            0);
  EXPECT_EQ(read_results(path("out")).indices, two.indices);

  // A third with a better model, another budget and a correction.
  write("q.npy", npy_f8(make_data(120, 5, 4, 7).probs, 120));
  label("two.csv", two);
  write("two.csv", file_contents(path("two.csv")) + one.picks[0].id + ",1\n");
  const Outcome third = round({"--labels", path("two.csv"), "--probs", path("q.npy"), "--budget", "5"});
  ASSERT_EQ(third.code, 0) << third.err;
  EXPECT_THAT(third.out, HasSubstr("1 replace earlier ones"));
  const Results three = results_of("round-3");
  EXPECT_EQ(three.summary["budget"]["labelled"], 17);
  EXPECT_EQ(three.indices.size(), 5U);
  EXPECT_THAT(file_contents(path("work/labelled-3.csv")), HasSubstr(fmt::format("\n{},1\n", one.indices[0])));

  const Outcome status = round({"--status"});
  EXPECT_EQ(status.code, 0);
  for (const char* part :
       {"Round 1: 10 chosen, 0 labelled", "Round 2: 10 chosen, 7 labelled", "Round 3: 5 chosen, 17 labelled"})
    EXPECT_THAT(status.out, HasSubstr(part));

  ASSERT_EQ(run_pith({"report", path("work"), "--quiet"}).code, 0);
  const Json page = page_data(file_contents(path("work/report.html")));
  ASSERT_EQ(page["rounds"].size(), 3U);
  EXPECT_EQ(page["rounds"][1]["labelled"], 7);
  EXPECT_EQ(page["run"]["budget"]["selected"], 5);
  double labelled = 0;
  for (const double value : unpacked(page["map"]["labelled"])) labelled += value;
  EXPECT_EQ(labelled, 17);
}

TEST_F(Rounds, keep_what_the_last_one_was_told) {
  Data logits = make_data(120, 5, 4, 6);
  for (double& value : logits.probs) value = std::log(value);
  write("p.npy", npy_f8(logits.probs, 120));
  ASSERT_EQ(first({"--logits", "--lambda", "0.7,0.3,0", "--quiet"}).code, 0);
  write("q.npy", npy_f8(make_data(120, 5, 4, 7).probs, 120));
  ASSERT_EQ(round({"--labels", label("one.csv", results_of("round-1")), "--probs", path("q.npy"), "--budget",
                   "20%", "--strategy", "margin", "--term", "uncertainty=1", "--quiet"})
                .code,
            0);
  const Outcome third = round({"--labels", label("two.csv", results_of("round-2"))});
  ASSERT_EQ(third.code, 0) << third.err;
  const Json two = results_of("round-2").summary;
  const Json three = results_of("round-3").summary;
  EXPECT_EQ(three["strategy"], "margin");
  EXPECT_EQ(three["budget"]["requested"], 24);
  EXPECT_EQ(three["inputs"]["probs"], two["inputs"]["probs"]);
  EXPECT_EQ(three["options"], two["options"]);
}

TEST_F(Rounds, labels_are_counted_by_whose_they_are) {
  ASSERT_EQ(first({"--quiet"}).code, 0);
  const std::string one = label("one.csv", results_of("round-1"));
  ASSERT_EQ(round({"--labels", one, "--quiet"}).code, 0);
  expect_error_line(round({"--labels", one}), 3,
                    {"one.csv", "all its 10 labels are known from earlier rounds", "round-2"});
  EXPECT_FALSE(fs::exists(path("work/round-3")));
  EXPECT_FALSE(fs::exists(path("work/labelled-3.csv")));
  const Results two = results_of("round-2");
  write("both.csv", file_contents(one) + fmt::format("{},1\n{},1\n", two.picks[0].id, two.picks[1].id));
  const Outcome third = round({"--labels", path("both.csv")});
  ASSERT_EQ(third.code, 0) << third.err;
  EXPECT_THAT(third.out,
              HasSubstr("Read 2 labels of round-2 and 10 of other items; 8 of its picks have none"));
}

TEST_F(Rounds, start_from_a_first_list_and_a_graph) {
  write("seed.csv", "index,label\n1,0\n2,\n");
  ASSERT_EQ(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("g.pith"), "--quiet"}).code, 0);
  ASSERT_EQ(round({"--graph", path("g.pith"), "--probs", path("p.npy"), "--budget", "6", "--labelled",
                   path("seed.csv"), "--quiet"})
                .code,
            0);
  EXPECT_FALSE(fs::exists(path("work/graph.pith")));
  const Results one = results_of("round-1");
  EXPECT_EQ(one.summary["budget"]["labelled"], 2);
  std::string csv = "index,label\n";
  for (const PickLine& pick : one.picks) csv += fmt::format("{},3\n", pick.index);
  write("one.csv", csv);
  ASSERT_EQ(round({"--labels", path("one.csv"), "--quiet"}).code, 0);
  EXPECT_EQ(results_of("round-2").summary["budget"]["labelled"], 8);
}

TEST_F(Rounds, need_no_graph_where_the_strategy_needs_none) {
  ASSERT_EQ(round({"--probs", path("p.npy"), "--strategy", "margin", "--budget", "5", "--measure", "light",
                   "--quiet"})
                .code,
            0);
  EXPECT_FALSE(fs::exists(path("work/graph.pith")));
  const std::vector<std::int64_t> one = int64_npy(file_contents(path("work/round-1/indices.npy")));
  ASSERT_EQ(one.size(), 5U);
  std::string csv = "index,label\n";
  for (const std::int64_t item : one) csv += fmt::format("{},3\n", item);
  const Outcome second = round({"--labels", write("one.csv", csv), "--quiet"});
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(Json::parse(file_contents(path("work/round-2/summary.json")))["budget"]["labelled"], 5);
}

TEST_F(Rounds, build_a_graph_that_is_gone_again) {
  ASSERT_EQ(first({"--quiet"}).code, 0);
  const std::string graph = file_contents(path("work/graph.pith"));
  fs::remove(path("work/graph.pith"));
  const Outcome second = round({"--labels", label("one.csv", results_of("round-1")), "--quiet"});
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(file_contents(path("work/graph.pith")), graph);
}

/// Behind a link, what .. leads to is for the system to say.
TEST_F(Rounds, remember_the_files_they_were_given) {
  fs::create_directories(path("far/inner"));
  fs::create_directory_symlink(path("far/inner"), path("link"));
  fs::rename(path("p.npy"), path("far/p.npy"));
  ASSERT_EQ(round({"--embeddings", path("e.npy"), "--probs", path("link/../p.npy"), "--ids", path("ids.txt"),
                   "--budget", "10", "--quiet"})
                .code,
            0);
  const Outcome second = round({"--labels", label("one.csv", results_of("round-1")), "--quiet"});
  EXPECT_EQ(second.code, 0) << second.err;
}

TEST_F(Rounds, a_first_one_that_fails_leaves_no_folder) {
  const Arguments failing = {"--embeddings", path("e.npy"), "--probs", path("nowhere.npy"), "--budget", "10"};
  expect_error_line(round(failing), 4, {"nowhere.npy"});
  EXPECT_FALSE(fs::exists(path("work")));
  // One that was there before stays.
  fs::create_directory(path("work"));
  expect_error_line(round(failing), 4, {"nowhere.npy"});
  EXPECT_TRUE(fs::exists(path("work")));
}

TEST_F(Rounds, refuse) {
  expect_error_line(run_pith({"round"}), 2, {"folder is missing"});
  expect_error_line(round({}), 2, {"--budget is missing"});
  expect_error_line(round({"--labels", path("x.csv")}), 2, {"--labels", "no round yet"});
  EXPECT_EQ(round({"--status"}).out, fmt::format("No round yet in {}\n", path("work")));
  ASSERT_EQ(first({"--quiet"}).code, 0);
  const Results one = results_of("round-1");
  expect_error_line(round({}), 2, {"--labels is missing", "round-1"});
  const std::string labels = label("one.csv", one);
  for (const char* name : {"embeddings", "graph", "ids"})
    expect_error_line(round({"--labels", labels, std::string("--") + name, path("e.npy")}), 2,
                      {name, "share one graph"});
  expect_error_line(round({"--labels", labels, "--metric", "l2"}), 2, {"--metric", "share one graph"});
  expect_error_line(round({"--labels", labels, "--labelled", labels}), 2, {"--labelled", "--labels"});
  write("bad.csv", "id,label\nnobody,1\n");
  expect_error_line(round({"--labels", path("bad.csv")}), 3, {"bad.csv", "line 2", "'nobody'"});
  write("bad.csv", "id,label\ni1,\n");
  expect_error_line(round({"--labels", path("bad.csv")}), 3, {"nobody has labelled", "round-1"});
  expect_error_line(round({"--labels", path("none.csv")}), 4, {"none.csv"});
  EXPECT_FALSE(fs::exists(path("work/round-2")));
  const std::string state = file_contents(path("work/rounds.json"));
  write("work/rounds.json",
        R"({"format":1,"settings":{},"rounds":[{"folder":"../x","labels":"","labelled":0,"selected":1}]})");
  expect_error_line(round({"--labels", labels}), 3, {"rounds.json", "'../x'"});
  write("work/rounds.json", R"({"format":9})");
  expect_error_line(round({"--labels", labels}), 3, {"rounds.json", "format 9"});
  write("work/rounds.json", "[]");
  expect_error_line(round({"--labels", labels}), 3, {"rounds.json"});
  write("work/rounds.json", state);
  EXPECT_EQ(round({"--labels", labels, "--quiet"}).code, 0);
}

TEST_F(Rounds, a_later_round_may_have_another_kind_of_budget_or_objective) {
  std::string costs = "cost,worth\n";
  for (int item = 0; item < 120; ++item) costs += fmt::format("{},{}\n", 1 + item % 3, item % 5);
  const std::string table = write("c.csv", costs);
  const Outcome begun =
      round({"--embeddings", path("e.npy"), "--probs", path("p.npy"), "--ids", path("ids.txt"), "--strategy",
             "submod", "--costs", table + ":cost", "--budget-cost", "15", "--scores", table + ":worth",
             "--term", "scores=1", "--term", "diversity=1"});
  ASSERT_EQ(begun.code, 0) << begun.err;
  const Outcome second = round({"--labels", label("one.csv", results_of("round-1")), "--budget", "8",
                                "--lambda", "1,1,1", "--memory", "1G"});
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(results_of("round-2").picks.size(), 8U);
}

TEST_F(Rounds, labels_by_names_that_nobody_gave_are_refused) {
  const std::string none = write("none.csv", "0,0\n1,0\n2,0\n3,0\n");
  const Outcome begun = round({"--embeddings", path("e.npy"), "--probs", path("p.npy"), "--budget", "10",
                               "--class-cap", none, "--balance", "class", "--shortfall", "stop"});
  ASSERT_EQ(begun.code, 0) << begun.err;
  const Outcome second = round({"--labels", write("l.csv", "id,label\nx7,1\n"), "--class-cap", "uniform"});
  EXPECT_EQ(second.code, 3) << second.err;
  EXPECT_THAT(second.err, HasSubstr("'x7'"));
}

}  // namespace
}  // namespace pith::testing
