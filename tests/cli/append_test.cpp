#include "support/cli_case.h"

namespace pith::testing {
namespace {

using ::testing::HasSubstr;

/// e.npy has all 60 items, old.npy the first 45 and new.npy the rest.
class Append : public CliCase {
 protected:
  void SetUp() override {
    CliCase::SetUp();
    const auto cut = data_.embeddings.begin() + 45 * 5;
    write("old.npy", npy_f4({data_.embeddings.begin(), cut}, 45));
    write("new.npy", npy_f4({cut, data_.embeddings.end()}, 15));
  }
  void build(const std::string& rows, const std::string& out, const Arguments& more = {}) const {
    const Outcome outcome =
        run_pith(Arguments{"graph", "--embeddings", path(rows), "--out", path(out), "--quiet"} + more);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  [[nodiscard]] Arguments append(const std::string& out = "out") const {
    return {"graph",        "--append",      path("new.npy"), "--graph", path("old.pith"),
            "--embeddings", path("old.npy"), "--out",         path(out)};
  }
};

TEST_F(Append, gives_the_file_of_the_graph_from_scratch) {
  for (const char* metric : {"cosine", "l2", "l1"})
    for (const char* symmetry : {"union", "mutual"}) {
      const Arguments kind = {"--metric", metric, "--symmetry", symmetry, "--neighbors", "6"};
      build("old.npy", "old.pith", kind);
      build("e.npy", "all.pith", kind);
      for (const char* threads : {"1", "3"}) {
        const Outcome outcome = run_pith(append("more.pith") + Arguments{"--threads", threads, "--quiet"});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out + outcome.err, "");
        EXPECT_EQ(file_contents(path("more.pith")), file_contents(path("all.pith"))) << metric << symmetry;
      }
    }
}

TEST_F(Append, may_replace_the_old_graph) {
  build("old.npy", "old.pith");
  build("e.npy", "all.pith");
  ASSERT_EQ(run_pith(append("old.pith")).code, 0);
  EXPECT_EQ(file_contents(path("old.pith")), file_contents(path("all.pith")));
}

TEST_F(Append, reports_what_was_added) {
  build("old.npy", "old.pith");
  const Outcome text = run_pith(append("more.pith") + Arguments{"--recall-sample", "20", "--stats"});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part :
       {"60 items", "15 of them added", "10 each, exact, recall 1", "1.0000 on the sample"})
    EXPECT_THAT(text.out, HasSubstr(part));
  const Outcome outcome = run_pith(append("more.pith") + Arguments{"--json", "--recall", "0.9"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json.at("items"), 60);
  EXPECT_EQ(json.at("appended"), 15);
  EXPECT_EQ(json.at("recall"), 1.0);
  EXPECT_TRUE(json.at("recall_interval").is_null());
  EXPECT_TRUE(json.at("reason").is_string());
}

TEST_F(Append, refuses_options_that_the_old_graph_decides) {
  build("old.npy", "old.pith");
  for (const Arguments& given : std::vector<Arguments>{{"--neighbors", "5"},
                                                       {"--metric", "cosine"},
                                                       {"--symmetry", "union"},
                                                       {"--knn", "exact"},
                                                       {"--memory", "1G"}})
    expect_refused(run_pith(append() + given), 2, {given[0] + ": not with --append", "leave it out"});
  expect_refused(run_pith(append() + Arguments{"--metric", "l2", "--neighbors", "5"}), 2,
                 {"--neighbors, --metric: not with --append", "leave them out"});
  expect_refused(
      run_pith({"graph", "--embeddings", path("old.npy"), "--append", path("new.npy"), "--out", path("out")}),
      2, {"--graph is missing", "old.pith"});
  expect_refused(
      run_pith({"graph", "--embeddings", path("old.npy"), "--graph", path("old.pith"), "--out", path("out")}),
      2, {"--graph", "--append"});
  expect_refused(
      run_pith({"graph", "--append", path("new.npy"), "--graph", path("old.pith"), "--out", path("out")}), 2,
      {"--embeddings is missing"});
}

TEST_F(Append, refuses_files_that_do_not_belong_together) {
  build("old.npy", "old.pith");
  write("old.npy", npy_f4(make_data(45, 5, 4, 9).embeddings, 45));
  expect_refused(run_pith(append()), 3, {"old.pith", "other embeddings", "old.npy", "fingerprint"});
  build("old.npy", "old.pith");
  write("new.npy", npy_f4(make_data(15, 6, 4, 9).embeddings, 15));
  expect_refused(run_pith(append()), 3, {"new.npy", "6 columns", "old.npy", "5"});
  write("new.npy", npy_f8(std::vector<double>(75, 0.5), 15));
  expect_refused(run_pith(append()), 3, {"new.npy", "f64", "old.npy", "f32"});
  std::vector<float> holes(75, 0.5F);
  holes[7] = std::nanf("");
  write("new.npy", npy_f4(holes, 15));
  expect_refused(run_pith(append()), 3, {"new.npy", "row 1, column 2", "nan"});
  write("old.pith", "nothing");
  expect_refused(run_pith(append()), 3, {"old.pith", "not a graph"});
  std::filesystem::remove(path("old.pith"));
  expect_refused(run_pith(append()), 4, {"old.pith"});
}

}  // namespace
}  // namespace pith::testing
