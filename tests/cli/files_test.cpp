#include "support/cli_case.h"

namespace pith::testing {
namespace {

class Files : public CliCase {
 protected:
  [[nodiscard]] static std::string id_of(std::size_t item) { return fmt::format("img \"{}\", left", item); }
  [[nodiscard]] std::string quoted_ids() const {
    std::string text = "label,path\n";
    for (std::size_t item = 0; item < data_.items; ++item)
      text += fmt::format("7,\"img \"\"{}\"\", left\"\n", item);
    return text;
  }
};

TEST_F(Files, ids_of_every_kind_reach_the_selection) {
  std::string text;
  std::string lines;
  for (std::size_t item = 0; item < data_.items; ++item) {
    text += id_of(item) + "\n";
    lines += Json{{"id", id_of(item)}, {"other", 1}}.dump() + "\n";
  }
  write("ids.txt", text);
  write("ids.csv", quoted_ids());
  write("ids.jsonl", lines);
  for (const char* name : {"ids.txt", "ids.csv", "ids.jsonl"}) {
    SCOPED_TRACE(name);
    const Results results = selected({"--budget", "9", "--ids", path(name)});
    for (const PickLine& pick : results.picks)
      EXPECT_EQ(pick.id, id_of(static_cast<std::size_t>(pick.index)));
    EXPECT_TRUE(results.summary.at("inputs").at("ids").contains("checksum"));
  }
}

TEST_F(Files, without_ids_the_index_stands_for_them) {
  for (const PickLine& pick : selected({"--budget", "9"}).picks)
    EXPECT_EQ(pick.id, std::to_string(pick.index));
}

TEST_F(Files, excluded_and_labelled_items_are_never_picked) {
  write("exclude.txt", "0\n1\n2\n3\n4\n5\n");
  write("labelled.csv", "index,label\n10,0\n11,3\n12,\n");
  for (const std::string& strategy : all_strategies()) {
    SCOPED_TRACE(strategy);
    const Results results = selected({"--budget", "51", "--strategy", strategy, "--exclude",
                                      path("exclude.txt"), "--labelled", path("labelled.csv")});
    EXPECT_EQ(results.indices.size(), 51U);
    for (const std::int64_t gone : {0, 1, 2, 3, 4, 5, 10, 11, 12}) EXPECT_FALSE(results.set().contains(gone));
    EXPECT_EQ(results.summary.at("budget").at("labelled"), 3);
    EXPECT_EQ(results.summary.at("budget").at("excluded"), 6);
    EXPECT_EQ(results.summary.at("budget").at("candidates"), 51);
  }
}

TEST_F(Files, labels_given_count_in_their_class_else_the_predicted_one) {
  const auto labelled_per_class = [&](const std::string& contents) {
    write("labelled.csv", contents);
    const Results results = selected({"--budget", "6", "--labelled", path("labelled.csv")});
    std::vector<int> counts;
    for (const Json& row : results.summary.at("constraints").at("class"))
      counts.push_back(row.at("labelled"));
    return counts;
  };
  EXPECT_EQ(labelled_per_class("index,label\n10,3\n11,3\n12,3\n"), (std::vector<int>{0, 0, 0, 3}));
  std::vector<int> predicted(4, 0);
  for (const std::size_t item : {10, 11, 12}) {
    const auto* const row = data_.probs.data() + item * 4;
    ++predicted[static_cast<std::size_t>(std::max_element(row, row + 4) - row)];
  }
  EXPECT_EQ(labelled_per_class("index\n10\n11\n12\n"), predicted);
  EXPECT_EQ(labelled_per_class("10\n11\n12\n"), predicted);
}

TEST_F(Files, labelled_and_excluded_go_by_id_where_there_are_ids) {
  write("ids.csv", quoted_ids());
  write("labelled.txt", id_of(5) + "\n");
  write("exclude.txt", id_of(6) + "\n" + id_of(7) + "\n");
  const Results results = selected({"--budget", "57", "--ids", path("ids.csv"), "--labelled",
                                    path("labelled.txt"), "--exclude", path("exclude.txt")});
  for (const std::int64_t gone : {5, 6, 7}) EXPECT_FALSE(results.set().contains(gone));
}

TEST_F(Files, bad_lists_name_file_line_and_remedy) {
  const auto refuse = [&](const char* option, const char* contents,
                          std::initializer_list<std::string_view> parts) {
    SCOPED_TRACE(contents);
    write("list.csv", contents);
    expect_refused(select({"--budget", "6", option, path("list.csv")}), 3, parts);
  };
  refuse("--exclude", "1\n60\n", {"list.csv", "line 2", "60", "out of range"});
  refuse("--exclude", "1\n-1\n", {"list.csv", "line 2", "-1", "out of range"});
  refuse("--exclude", "1\ncat\n", {"list.csv", "line 2", "cat", "--ids"});
  refuse("--exclude", "1\n1\n", {"list.csv", "line 2", "already listed on line 1"});
  refuse("--labelled", "index,label\n1,x\n", {"list.csv", "line 2", "label", "x"});
  refuse("--labelled", "index,label\n1,4\n", {"list.csv", "item 1", "class 4", "0 to 3"});
  refuse("--ids", "a\nb\n", {"list.csv", "2 ids for 60 items"});
  std::string ids;
  for (int item = 0; item < 60; ++item) ids += fmt::format("x{}\n", item == 41 ? 7 : item);
  refuse("--ids", ids.c_str(), {"list.csv", "lines 8 and 42", "x7", "unique"});
}

TEST_F(Files, an_item_both_labelled_and_excluded_is_refused) {
  write("a.txt", "7\n");
  expect_refused(select({"--budget", "6", "--labelled", path("a.txt"), "--exclude", path("a.txt")}), 3,
                 {"a.txt", "item 7", "both labelled and excluded"});
}

TEST_F(Files, a_saved_graph_gives_the_same_picks) {
  for (const std::string metric : {"cosine", "l2", "l1"}) {
    SCOPED_TRACE(metric);
    ASSERT_EQ(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("g.pith"), "--metric", metric,
                        "--neighbors", "7"})
                  .code,
              0);
    for (const std::string strategy : {"submod-bal", "k-center", "margin"}) {
      const Results built = selected(
          {"--budget", "20", "--metric", metric, "--neighbors", "7", "--strategy", strategy}, "built");
      const Results loaded = selected({"--budget", "20", "--graph", path("g.pith"), "--strategy", strategy});
      EXPECT_EQ(file_contents(path("built/selection.csv")), file_contents(path("out/selection.csv")));
      // Why it was built as it was is not saved with a graph.
      EXPECT_FALSE(built.summary.at("graph").at("reason").is_null());
      nlohmann::json built_graph = built.summary.at("graph");
      built_graph["reason"] = nullptr;
      EXPECT_EQ(built_graph, loaded.summary.at("graph"));
      for (const char* option : {"neighbors", "metric", "symmetry"})
        EXPECT_EQ(built.summary.at("options").at(option), loaded.summary.at("options").at(option)) << option;
    }
  }
}

TEST_F(Files, a_graph_stands_in_for_the_embeddings) {
  ASSERT_EQ(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("g.pith")}).code, 0);
  const Results with = selected({"--budget", "20"});
  const Arguments without = {"select",   "--graph", path("g.pith"), "--probs", path("p.npy"),
                             "--budget", "20",      "--out",        path("b")};
  ASSERT_EQ(run_pith(without).code, 0);
  EXPECT_EQ(read_results(path("b")).indices, with.indices);
  const Outcome k_center = run_pith(without + Arguments{"--strategy", "k-center"});
  EXPECT_EQ(k_center.code, 2);
  EXPECT_THAT(k_center.err, ::testing::HasSubstr("--embeddings"));
}

TEST_F(Files, other_graphs_are_refused) {
  ASSERT_EQ(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("g.pith")}).code, 0);
  const std::string good = file_contents(path("g.pith"));
  const Arguments use_graph = {"--budget", "6", "--graph", path("g.pith")};
  expect_refused(select(use_graph + Arguments{"--metric", "l2"}), 2, {"--metric", "--graph"});
  expect_refused(select(use_graph + Arguments{"--knn", "exact"}), 2, {"--knn", "has its own", "--graph"});
  expect_refused(select(use_graph + Arguments{"--recall", "0.9"}), 2, {"--recall", "--graph"});
  EXPECT_EQ(select(use_graph + Arguments{"--memory", "1G"}, "within").code, 0);

  write("g.pith", good.substr(0, good.size() - 8));
  expect_refused(select(use_graph), 3, {"g.pith", "rebuild it with pith graph"});
  std::string flipped = good;
  flipped[flipped.size() - 9] = static_cast<char>(flipped[flipped.size() - 9] ^ 1);
  write("g.pith", flipped);
  expect_refused(select(use_graph), 3, {"g.pith", "rebuild it with pith graph"});
  write("g.pith", "");
  expect_refused(select(use_graph), 3, {"g.pith", "rebuild it with pith graph"});
  write("g.pith", good);
  use(make_data(60, 5, 4, 99));
  expect_refused(select(use_graph), 3, {"g.pith", "e.npy"});
  use(make_data(61, 5, 4, 99));
  expect_refused(select(use_graph), 3, {"g.pith", "e.npy"});
  expect_refused(run_pith(Arguments{"select", "--probs", path("p.npy"), "--out", path("out")} + use_graph), 3,
                 {"g.pith", "60", "61", "pith graph"});
}

TEST_F(Files, logits_are_the_probabilities_of_their_softmax) {
  std::vector<double> logits;
  for (const double p : data_.probs) logits.push_back(std::log(p) + 3);
  write("l.npy", npy_f8(logits, data_.items));
  const Results probs = selected({"--budget", "20"});
  const Outcome outcome = run_pith({"select", "--embeddings", path("e.npy"), "--probs", path("l.npy"),
                                    "--logits", "--budget", "20", "--out", path("b")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Results from_logits = read_results(path("b"));
  EXPECT_EQ(from_logits.indices, probs.indices);
  EXPECT_NEAR(from_logits.summary["objective"]["total"], probs.summary["objective"]["total"], 1e-9);
}

TEST_F(Files, a_report_of_an_earlier_run_is_called_that) {
  const Outcome first = select({"--budget", "5"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out.find("report.html"), std::string::npos);
  write("out/report.html", "of the run before");
  EXPECT_NE(select({"--budget", "6"}).out.find("report.html there is of an earlier run"), std::string::npos);
}

TEST_F(Files, a_strategy_of_probabilities_alone_needs_no_embeddings) {
  const Arguments alone = {"select", "--probs", path("p.npy"), "--budget", "5", "--out", path("light")};
  ASSERT_EQ(run_pith(alone + Arguments{"--strategy", "margin", "--measure", "light"}).code, 0);
  ASSERT_EQ(select({"--budget", "5", "--strategy", "margin"}).code, 0);
  EXPECT_EQ(file_contents(path("light/indices.npy")), file_contents(path("out/indices.npy")));
  expect_error_line(run_pith(alone + Arguments{"--strategy", "k-center", "--measure", "light"}), 2,
                    {"--embeddings", "k-center"});
}

TEST_F(Files, embeddings_that_lie_on_their_side_are_suspected) {
  write("side.npy", npy_f8(std::vector<double>(5 * data_.items, 1.0), 5));
  expect_error_line(run_pith({"select", "--embeddings", path("side.npy"), "--probs", path("p.npy"),
                              "--budget", "5", "--out", path("out")}),
                    3, {"side.npy", "transposed", "array.T"});
}

}  // namespace
}  // namespace pith::testing
