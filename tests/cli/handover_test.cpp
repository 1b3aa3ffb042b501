#include "support/cli_case.h"

namespace pith::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Handover : public CliCase {
 protected:
  void SetUp() override {
    use(make_data(80, 5, 4, 2));
    std::string ids;
    for (int item = 0; item < 80; ++item)
      ids += fmt::format("pictures/{}, of {} & more.png\n", item, item % 7);
    write("ids.txt", ids);
    write("names.txt", "cat\ndog\nhorse\n<rare> bird\n");
  }
  [[nodiscard]] std::string exported(const Arguments& more) const {
    const Outcome outcome = run_pith(Arguments{"export", path("out")} + more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  [[nodiscard]] double best_prob(std::int64_t item) const {
    const double* row = data_.probs.data() + item * 4;
    return *std::max_element(row, row + 4);
  }
};

TEST_F(Handover, every_format_has_the_picks_in_order) {
  const Results results = selected({"--budget", "12", "--ids", path("ids.txt")});
  const Arguments names = {"--class-names", path("names.txt"), "--prefix", "/data/"};

  const Json tasks = Json::parse(exported(Arguments{"--to", "label-studio"} + names));
  const Json coco = Json::parse(exported(Arguments{"--to", "coco-image-list"} + names));
  const Json fiftyone = Json::parse(exported(Arguments{"--to", "fiftyone"} + names));
  const auto csv = csv_records(exported(Arguments{"--to", "csv"} + names));
  const std::string txt = exported(Arguments{"--to", "txt"} + names);
  const std::string xml = exported(Arguments{"--to", "cvat"} + names);
  const std::string jsonl = exported(Arguments{"--to", "jsonl"} + names);
  const std::vector<std::string> class_names = {"cat", "dog", "horse", "<rare> bird"};
  ASSERT_EQ(tasks.size(), 12U);
  ASSERT_EQ(coco["images"].size(), 12U);
  ASSERT_EQ(fiftyone["labels"].size(), 12U);
  ASSERT_EQ(csv.size(), 13U);
  EXPECT_EQ(coco["categories"].size(), 4U);
  EXPECT_EQ(csv[0].back(), "label");
  std::string expected_txt;
  std::size_t line_begin = 0;
  std::size_t xml_at = 0;
  for (std::size_t at = 0; at < 12; ++at) {
    const PickLine& pick = results.picks[at];
    const std::string where = "/data/" + pick.id;
    const std::string name = class_names.at(std::stoul(pick.label));
    expected_txt += where + "\n";
    EXPECT_EQ(tasks[at]["data"]["image"], where);
    EXPECT_EQ(tasks[at]["data"]["pith_index"], pick.index);
    EXPECT_EQ(tasks[at]["data"]["pith_rank"], at + 1);
    const Json& prediction = tasks[at]["predictions"][0];
    EXPECT_NEAR(prediction["score"].get<double>(), best_prob(pick.index), 1e-12);
    EXPECT_EQ(prediction["result"][0]["value"]["choices"], Json::array({name}));
    EXPECT_EQ(prediction["result"][0]["type"], "choices");
    EXPECT_EQ(coco["images"][at]["file_name"], where);
    EXPECT_EQ(coco["images"][at]["id"], pick.index);
    EXPECT_EQ(fiftyone["labels"][where]["label"], name);
    EXPECT_NEAR(fiftyone["labels"][where]["confidence"].get<double>(), best_prob(pick.index), 1e-12);
    EXPECT_EQ(csv[at + 1][1], std::to_string(pick.index));
    EXPECT_EQ(csv[at + 1][3], where);
    EXPECT_EQ(csv[at + 1][5], name);
    EXPECT_EQ(csv[at + 1].back(), "");
    const std::size_t line_end = jsonl.find('\n', line_begin);
    const Json line = Json::parse(jsonl.substr(line_begin, line_end - line_begin));
    line_begin = line_end + 1;
    EXPECT_EQ(line["id"], pick.id);
    EXPECT_EQ(line["represents"], pick.represents);
    const std::string escaped =
        fmt::format("name=\"/data/pictures/{}, of {} &amp; more.png\"", pick.index, pick.index % 7);
    xml_at = xml.find(escaped, xml_at);
    ASSERT_NE(xml_at, std::string::npos) << escaped;
    EXPECT_THAT(xml.substr(xml_at, 300),
                HasSubstr(name == "<rare> bird" ? "label=\"&lt;rare&gt; bird\"" : "label=\"" + name));
  }
  EXPECT_EQ(txt, expected_txt);
  EXPECT_EQ(std::count(xml.begin(), xml.end(), '&'),
            std::count(txt.begin(), txt.end(), '&') +
                2 * (1 + std::count_if(results.picks.begin(), results.picks.end(),
                                       [](const PickLine& p) { return p.label == "3"; })));
}

TEST_F(Handover, labels_come_back_and_are_never_chosen_again) {
  const Results first = selected({"--budget", "10", "--ids", path("ids.txt")});
  const Outcome written = run_pith({"export", path("out"), "--to", "label-studio", "--class-names",
                                    path("names.txt"), "--out", path("tasks.json")});
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("10 picks for label-studio"));
  // A person labels all but the last two: one skipped, one untouched.
  Json tasks = Json::parse(file_contents(path("tasks.json")));
  for (std::size_t at = 0; at < 10; ++at) {
    tasks[at]["id"] = 100 + at;
    tasks[at]["annotations"] = Json::array();
    if (at == 9) continue;
    tasks[at]["annotations"].push_back(
        {{"was_cancelled", at == 8}, {"result", tasks[at]["predictions"][0]["result"]}});
  }
  write("done.json", tasks.dump());
  const Outcome imported = run_pith({"import", path("done.json"), "--run", path("out"), "--class-names",
                                     path("names.txt"), "--out", path("labelled.csv")});
  ASSERT_EQ(imported.code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("8 labelled items; 2 without a label left out"));
  std::string expected = "index,label\n";
  for (std::size_t at = 0; at < 8; ++at)
    expected += fmt::format("{},{}\n", first.picks[at].index, first.picks[at].label);
  EXPECT_EQ(file_contents(path("labelled.csv")), expected);

  const Results next = selected({"--budget", "10", "--labelled", path("labelled.csv")}, "next");
  EXPECT_EQ(next.summary["budget"]["labelled"], 8);
  for (std::size_t at = 0; at < 8; ++at) EXPECT_FALSE(next.set().contains(first.indices[at]));

  // The same by a table that somebody filled in, by id, into a plain list.
  auto records = csv_records(exported({"--to", "csv"}));
  std::string table = "id,label\n";
  for (std::size_t at = 1; at < records.size(); ++at)
    table += fmt::format("\"{}\",{}\n", records[at][2], records[at][4]);
  write("table.csv", table);
  ASSERT_EQ(run_pith({"import", path("table.csv"), "--out", path("list.txt"), "--quiet"}).code, 0);
  std::string names;
  for (const PickLine& pick : first.picks) names += pick.id + "\n";
  EXPECT_EQ(file_contents(path("list.txt")), names);
  const Results again =
      selected({"--budget", "10", "--ids", path("ids.txt"), "--labelled", path("list.txt")}, "again");
  EXPECT_EQ(again.summary["budget"]["labelled"], 10);
}

TEST_F(Handover, export_without_probabilities_has_no_scores) {
  static_cast<void>(selected({"--budget", "5"}));
  fs::rename(path("p.npy"), path("q.npy"));
  const Json tasks = Json::parse(exported(
      {"--to", "label-studio", "--data-key", "text", "--from-name", "topic", "--to-name", "t", "--quiet"}));
  EXPECT_FALSE(tasks[0]["predictions"][0].contains("score"));
  EXPECT_EQ(tasks[0]["predictions"][0]["result"][0]["from_name"], "topic");
  EXPECT_EQ(tasks[0]["predictions"][0]["result"][0]["to_name"], "t");
  EXPECT_EQ(tasks[0]["data"]["text"], std::to_string(tasks[0]["data"]["pith_index"].get<int>()));
  const Outcome noted = run_pith({"export", path("out"), "--to", "csv", "--out", path("x.csv")});
  EXPECT_THAT(noted.out, HasSubstr("--probs FILE"));
  const Outcome printed = run_pith({"export", path("out"), "--to", "csv"});
  EXPECT_THAT(printed.out, ::testing::Not(HasSubstr("--probs FILE")));
  EXPECT_THAT(printed.err, HasSubstr("--probs FILE"));
  EXPECT_EQ(run_pith({"export", path("out"), "--to", "csv", "--quiet"}).err, "");
  EXPECT_TRUE(
      Json::parse(exported({"--to", "label-studio", "--probs", path("q.npy")}))[0]["predictions"][0].contains(
          "score"));
}

TEST_F(Handover, export_refuses) {
  static_cast<void>(selected({"--budget", "5"}));
  const Arguments base = {"export", path("out")};
  expect_error_line(run_pith({"export"}), 2, {"folder is missing"});
  expect_error_line(run_pith(base), 2, {"--to is missing", "label-studio"});
  expect_error_line(run_pith(base + Arguments{"--to", "label-studo"}), 2,
                    {"--to", "did you mean 'label-studio'"});
  expect_error_line(run_pith({"export", path("none"), "--to", "csv"}), 4, {"none", "no such folder"});
  expect_error_line(run_pith(base + Arguments{"--to", "csv", "--class-names", path("ids.txt")}), 3,
                    {"ids.txt", "4"});
  expect_error_line(run_pith(base + Arguments{"--to", "csv", "--out", path("no/where.csv")}), 4,
                    {"where.csv"});
  expect_error_line(run_pith(base + Arguments{"--to", "csv", "--probs", path("e.npy")}), 3,
                    {"e.npy", "is not the probs"});
  expect_error_line(
      run_pith(base + Arguments{"--to", "csv", "--probs", path("p.npy"), "--probs", path("p.npy")}), 2,
      {"--probs", "1 of them", "2"});
}

TEST_F(Handover, import_refuses) {
  static_cast<void>(selected({"--budget", "5"}));
  write("l.csv", "index,label\n5,1\n");
  const auto import = [&](const Arguments& more) { return run_pith(Arguments{"import"} + more); };
  const Arguments out = {"--out", path("labelled.csv")};
  expect_error_line(import(out), 2, {"file is missing"});
  expect_error_line(import({path("l.csv")}), 2, {"--out is missing"});
  expect_error_line(import({path("l.csv"), "--out", path("l.json")}), 2, {"--out", ".csv"});
  expect_error_line(import(Arguments{path("none.csv")} + out), 4, {"none.csv"});
  expect_error_line(import(Arguments{path("l.csv"), "--conflict", "maybe"} + out), 2,
                    {"--conflict", "'maybe'"});
  write("l.csv", "index,label\n5,9\n");
  expect_error_line(import(Arguments{path("l.csv"), "--run", path("out")} + out), 3,
                    {"l.csv", "line 2", "class 9", "4 classes"});
  write("l.csv", "index,label\n500,1\n");
  expect_error_line(import(Arguments{path("l.csv"), "--run", path("out")} + out), 3,
                    {"l.csv", "line 2", "item 500", "80 items"});
  write("l.csv", "index,label\n5,\n");
  expect_error_line(import(Arguments{path("l.csv")} + out), 3, {"l.csv", "nobody has labelled"});
  EXPECT_FALSE(fs::exists(path("labelled.csv")));
}

}  // namespace
}  // namespace pith::testing
