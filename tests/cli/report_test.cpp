#include "support/cli_case.h"
#include "support/page_data.h"
#include "support/tiny_png.h"

namespace pith::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class ReportCommand : public CliCase {
 protected:
  void SetUp() override { use(make_data(300, 6, 5, 3)); }

  [[nodiscard]] Outcome report(const Arguments& more = {}, const std::string& folder = "out") const {
    return run_pith(Arguments{"report", path(folder)} + more);
  }
  /// Reports, which must succeed, and reads what is in the page.
  [[nodiscard]] Json reported(const Arguments& more = {}, const std::string& folder = "out") const {
    const Outcome outcome = report(more, folder);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("Wrote "));
    expect_no_leftovers();
    return page_data(file_contents(path(folder + "/report.html")));
  }
};

TEST_F(ReportCommand, shows_what_the_files_say) {
  const Results results = selected({"--budget", "40"});
  const Json page = reported();
  EXPECT_EQ(page["name"], "out");
  EXPECT_TRUE(page["notes"].empty()) << page["notes"];
  EXPECT_EQ(page["run"]["budget"], results.summary["budget"]);
  EXPECT_EQ(page["run"]["certificate"], results.summary["certificate"]);
  const auto index = unpacked(page["picks"]["index"]);
  const auto represents = unpacked(page["picks"]["represents"]);
  const auto uncertainty = unpacked(page["picks"]["uncertainty"]);
  ASSERT_EQ(index.size(), 40U);
  for (std::size_t at = 0; at < 40; ++at) {
    EXPECT_EQ(index[at], static_cast<double>(results.picks[at].index));
    EXPECT_EQ(represents[at], static_cast<double>(results.picks[at].represents));
    EXPECT_NEAR(uncertainty[at], results.picks[at].uncertainty, 1e-6);
  }
  // The map: every item, in order, its class, its pick, and who stands for it.
  const Json& map = page["map"];
  EXPECT_EQ(map["count"], 300);
  EXPECT_TRUE(map["items"].is_null());
  for (const char* name : {"pca", "layout"}) {
    EXPECT_EQ(unpacked(map[name]["x"]).size(), 300U);
    EXPECT_EQ(unpacked(map[name]["y"]).size(), 300U);
  }
  const auto pick = unpacked(map["pick"]);
  const auto stands = unpacked(map["stands"]);
  const auto label = unpacked(map["class"]);
  std::vector<int> counted(40, 0);
  for (std::size_t item = 0; item < 300; ++item) {
    const double* row = data_.probs.data() + item * 5;
    EXPECT_EQ(label[item], static_cast<double>(std::max_element(row, row + 5) - row));
    if (pick[item] > 0) {
      EXPECT_EQ(index[static_cast<std::size_t>(pick[item]) - 1], static_cast<double>(item));
      EXPECT_EQ(stands[item], pick[item]) << "a pick stands for itself";
    }
    if (stands[item] > 0) ++counted[static_cast<std::size_t>(stands[item]) - 1];
  }
  for (std::size_t at = 0; at < 40; ++at) EXPECT_EQ(counted[at], results.picks[at].represents);
  // The gains: bins of one pick here, whose terms sum to the gain.
  const Json& terms = page["gain"]["terms"];
  for (std::size_t at = 0; at < 40; ++at) {
    double sum = 0;
    for (const Json& term : terms) sum += unpacked(term["mean"])[at];
    EXPECT_NEAR(sum, results.picks[at].gain, 1e-4);
  }
  const auto caps = unpacked(page["classes"]["cap"]);
  for (std::size_t label_at = 0; label_at < 5; ++label_at)
    EXPECT_EQ(caps[label_at], results.summary["constraints"]["class"][label_at]["cap"].get<double>());
}

TEST_F(ReportCommand, is_the_same_page_for_any_number_of_threads_and_from_the_kept_map) {
  static_cast<void>(selected({"--budget", "40"}));
  ASSERT_EQ(report({"--threads", "1", "--quiet"}).out, "");
  const std::string first = file_contents(path("out/report.html"));
  EXPECT_TRUE(fs::exists(path("out/map.pith")));
  ASSERT_EQ(report({"--threads", "3"}).code, 0);
  EXPECT_EQ(file_contents(path("out/report.html")), first);
  fs::remove(path("out/map.pith"));
  ASSERT_EQ(report({"--threads", "4"}).code, 0);
  EXPECT_EQ(file_contents(path("out/report.html")), first);
  write("out/map.pith", "damaged");
  ASSERT_EQ(report({"--out", path("page.html")}).code, 0);
  EXPECT_EQ(file_contents(path("page.html")), first);
  ASSERT_EQ(report({"--seed", "5", "--out", path("page.html")}).code, 0);
  EXPECT_NE(file_contents(path("page.html")), first) << "another seed, another map";
}

TEST_F(ReportCommand, of_files_that_moved_or_changed) {
  static_cast<void>(selected({"--budget", "40"}));
  fs::create_directory(path("elsewhere"));
  fs::rename(path("e.npy"), path("elsewhere/e.npy"));
  Json page = reported();
  EXPECT_TRUE(page["map"].is_null());
  ASSERT_EQ(page["notes"].size(), 1U);
  EXPECT_THAT(page["notes"][0].get<std::string>(),
              HasSubstr("e.npy) is not where the run found it; there is no map"));
  page = reported({"--embeddings", path("elsewhere/e.npy")});
  EXPECT_EQ(page["map"]["count"], 300);
  fs::rename(path("p.npy"), path("out/p.npy"));
  EXPECT_TRUE(reported({"--embeddings", path("elsewhere/e.npy")})["notes"].empty())
      << "found in the run folder";
  fs::remove(path("out/p.npy"));
  write("p.npy", npy_f8(make_data(300, 6, 5, 9).probs, 300));
  page = reported({"--embeddings", path("elsewhere/e.npy")});
  ASSERT_EQ(page["notes"].size(), 1U);
  EXPECT_THAT(page["notes"][0].get<std::string>(), HasSubstr("p.npy) has changed since the run"));
  EXPECT_TRUE(page["map"]["class"].is_null());
  write("other.npy", npy_f4(make_data(300, 6, 5, 8).embeddings, 300));
  expect_error_line(report({"--embeddings", path("other.npy")}), 3,
                    {"other.npy", "is not the embeddings", "--embeddings"});
  expect_error_line(report({"--probs", path("p.npy")}), 3, {"p.npy", "is not the probs"});
  expect_error_line(report({"--embeddings", path("none.npy")}), 4, {"none.npy"});
}

TEST_F(ReportCommand, of_logits_ids_labelled_items_and_many_models) {
  std::vector<double> logits;
  std::string ids;
  for (const double p : data_.probs) logits.push_back(std::log(p) + 2);
  for (int item = 0; item < 300; ++item) ids += fmt::format("<b>\"item\" & {}</b>.png\n", item);
  write("l.npy", npy_f8(logits, 300));
  write("ids.txt", ids);
  write("seed.csv", "index,label\n3,1\n4,0\n");
  write("names.txt", "a\nb\nc\nd\ne\n");
  ASSERT_EQ(run_pith({"select", "--embeddings", path("e.npy"), "--probs", path("l.npy"), "--probs",
                      path("l.npy"), "--logits", "--budget", "30", "--ids", path("ids.txt"), "--labelled",
                      path("seed.csv"), "--out", path("out")})
                .code,
            0);
  const Json page = reported({"--class-names", path("names.txt")});
  for (const Json& note : page["notes"]) EXPECT_THAT(note.get<std::string>(), HasSubstr("pictures"));
  EXPECT_EQ(page["class_names"].size(), 5U);
  EXPECT_THAT(page["picks"]["ids"][0].get<std::string>(), HasSubstr("<b>\"item\" & "));
  const auto labelled = unpacked(page["map"]["labelled"]);
  for (std::size_t item = 0; item < 300; ++item) EXPECT_EQ(labelled[item], item == 3 || item == 4 ? 1 : 0);
  expect_error_line(report({"--class-names", path("ids.txt")}), 3, {"ids.txt", "5"});
}

TEST_F(ReportCommand, marks_no_labelled_items_by_ids_that_changed) {
  std::string ids;
  std::string reversed;
  for (int item = 0; item < 300; ++item) {
    ids += fmt::format("item-{}\n", item);
    reversed += fmt::format("item-{}\n", 299 - item);
  }
  write("ids.txt", ids);
  write("seed.txt", "item-3\nitem-4\n");
  static_cast<void>(selected({"--budget", "30", "--ids", path("ids.txt"), "--labelled", path("seed.txt")}));
  const auto labelled = unpacked(reported()["map"]["labelled"]);
  for (std::size_t item = 0; item < 300; ++item) EXPECT_EQ(labelled[item], item == 3 || item == 4 ? 1 : 0);
  const auto expect_none = [&](const char* why) {
    const Json page = reported();
    EXPECT_TRUE(page["map"]["labelled"].is_null());
    EXPECT_THAT(page["notes"].dump(), HasSubstr(why));
  };
  write("ids.txt", reversed);
  expect_none("ids.txt) has changed since the run; labelled items are not marked");
  fs::remove(path("ids.txt"));
  expect_none("ids.txt) is not where the run found it; labelled items are not marked");
  write("ids.txt", ids);
  write("seed.txt", "item-5\n");
  expect_none("seed.txt) has changed since the run; labelled items are not marked");
}

TEST_F(ReportCommand, says_nothing_of_a_map_that_there_is_not) {
  static_cast<void>(selected({"--budget", "30"}));
  fs::remove(path("e.npy"));
  const Json page = reported({"--points", "120"});
  EXPECT_TRUE(page["map"].is_null());
  ASSERT_EQ(page["notes"].size(), 1U) << page["notes"];
  EXPECT_THAT(page["notes"][0].get<std::string>(), HasSubstr("there is no map"));
  EXPECT_FALSE(fs::exists(path("out/map.pith")));
}

TEST_F(ReportCommand, has_small_pictures_where_ids_are_images) {
  std::string ids;
  for (int item = 0; item < 300; ++item) ids += fmt::format("{}.png\n", item);
  write("ids.txt", ids);
  fs::create_directory(path("images"));
  for (int item = 0; item < 300; item += 2) write(fmt::format("images/{}.png", item), tiny_png());
  const Results results = selected({"--budget", "30", "--ids", path("ids.txt")});
  const Json page = reported({"--images", path("images")});
  const Json without = reported();
  EXPECT_TRUE(without["thumbnails"].is_null()) << "not where the ids point to from here";
  if (page["thumbnails"].is_null()) GTEST_SKIP() << "built without libjpeg and libpng";
  EXPECT_THAT(without["notes"].dump(), HasSubstr("None of the picks' pictures was found"));
  EXPECT_THAT(page["notes"].dump(), Not(HasSubstr("pictures")));
  expect_error_line(run_pith({"report", path("out"), "--images", path("nowhere")}), 4,
                    {"nowhere", "paths in"});
  for (std::size_t rank = 0; rank < 30; ++rank)
    EXPECT_EQ(page["thumbnails"].contains(std::to_string(rank)), results.indices[rank] % 2 == 0);
}

TEST_F(ReportCommand, of_a_graph_alone_of_nothing_measured_and_of_a_sample) {
  ASSERT_EQ(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("g.pith"), "--quiet"}).code, 0);
  ASSERT_EQ(run_pith({"select", "--graph", path("g.pith"), "--probs", path("p.npy"), "--budget", "30",
                      "--out", path("out")})
                .code,
            0);
  Json page = reported();
  EXPECT_TRUE(page["map"]["pca"].is_null());
  EXPECT_EQ(unpacked(page["map"]["layout"]["x"]).size(), 300U);

  ASSERT_EQ(select({"--budget", "30", "--strategy", "margin", "--measure", "light"}).code, 0);
  page = reported({"--map", "pca"});
  EXPECT_TRUE(page["gain"].is_null());
  EXPECT_TRUE(page["map"]["layout"].is_null());
  EXPECT_FALSE(page["map"]["pca"].is_null());

  static_cast<void>(selected({"--budget", "30"}));
  page = reported({"--points", "120"});
  EXPECT_EQ(page["map"]["count"], 120);
  EXPECT_EQ(unpacked(page["map"]["items"]).size(), 120U);
  EXPECT_EQ(unpacked(page["map"]["layout"]["x"]).size(), 120U);
  EXPECT_TRUE(page["map"]["stands"].is_null());
  EXPECT_THAT(page["notes"][0].get<std::string>(), HasSubstr("120 of 300 items"));
  page = reported({"--points", "120", "--graph", path("g.pith")});
  EXPECT_FALSE(page["map"]["stands"].is_null());
}

TEST_F(ReportCommand, of_an_experiment) {
  fs::create_directory(path("results"));
  std::string lines;
  for (int trial = 0; trial < 3; ++trial)
    for (const char* variant : {"random", "margin"})
      for (const int percent : {10, 30})
        lines += fmt::format(
            R"({{"trial":{},"budget":"{}%","variant":"{}","options":"","items":{},"accuracy":{},"loss":1,"training_loss":1,"steps":1,)"
            R"("select_seconds":1,"train_seconds":1,"classes_covered":4,"boundaries_covered":3,"mean_uncertainty":0.5}})"
            "\n",
            trial, percent, variant, 10 * percent,
            0.5 + 0.004 * percent + 0.01 * trial + (variant[0] == 'm' ? 0.1 : 0));
  write("results/results.jsonl", lines);
  Json page = reported({}, "results");
  EXPECT_TRUE(page["run"].is_null());
  const Json experiment = page["experiment"];
  EXPECT_EQ(experiment["variants"].size(), 2U);
  EXPECT_EQ(experiment["entries"].size(), 4U);
  EXPECT_EQ(experiment["budgets"][1]["items"], 300);
  EXPECT_THAT(experiment["verdict"].get<std::string>(), HasSubstr("margin"));
  static_cast<void>(selected({"--budget", "30"}));
  page = reported({"--experiment", path("results")});
  EXPECT_FALSE(page["run"].is_null());
  EXPECT_EQ(page["experiment"], experiment);
  write("results/results.jsonl", "");
  expect_error_line(report({}, "results"), 3, {"results", "no finished training"});
  expect_error_line(report({"--experiment", path("none")}), 4, {"none", "results.jsonl"});
}

TEST_F(ReportCommand, refuses_what_is_no_run) {
  expect_error_line(run_pith({"report"}), 2, {"folder is missing", "pith report DIR"});
  expect_error_line(report({}, "nowhere"), 4, {"nowhere", "no such folder", "pith select --out"});
  expect_error_line(report({}, "e.npy"), 4, {"e.npy", "is not a folder"});
  expect_error_line(report({}, ""), 3, {"has no summary.json"});
  expect_error_line(run_pith({"report", path("a"), path("b")}), 2, {path("b")});
  static_cast<void>(selected({"--budget", "30"}));
  expect_error_line(report({"--map", "tsne"}), 2, {"--map", "'tsne'", "umap"});
  expect_error_line(report({"--points", "3"}), 2, {"--points", "3", "100"});
  expect_error_line(report({"--seed", "-1"}), 2, {"--seed", "-1"});
  expect_error_line(report({"--out", path("")}), 4, {"is a folder"});
  expect_error_line(report({"--graph", path("e.npy")}), 3, {"e.npy"});

  const std::string csv = file_contents(path("out/selection.csv"));
  write("out/selection.csv", csv.substr(0, csv.rfind('\n', csv.size() - 2) + 1));
  expect_error_line(report(), 3, {"indices.npy and selection.csv do not belong together"});
  write("out/selection.csv", "x,y\n");
  expect_error_line(report(), 3, {"selection.csv", "line 1"});
  std::string odd = csv;
  odd.replace(odd.find("\n0,"), 3, "\n7,");
  write("out/selection.csv", odd);
  expect_error_line(report(), 3, {"selection.csv", "line 2", "rank '7'"});
  write("out/selection.csv", csv);
  const std::string summary = file_contents(path("out/summary.json"));
  write("out/summary.json", "{}");
  expect_error_line(report(), 3, {"summary.json", "/items"});
  write("out/summary.json", "{");
  expect_error_line(report(), 3, {"summary.json"});
  Json changed = Json::parse(summary);
  changed["options"]["metric"] = "hamming";
  write("out/summary.json", changed.dump());
  expect_error_line(report(), 3, {"summary.json: /options/metric: 'hamming' given", "cosine"});
  write("out/summary.json", summary);
  EXPECT_EQ(report().code, 0);
}

}  // namespace
}  // namespace pith::testing
