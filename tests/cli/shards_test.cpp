#include "support/cli_case.h"

namespace pith::testing {
namespace {

using ::testing::HasSubstr;

/// e.npy and p.npy as wholes, and cut into e-1.npy .. e-11.npy and p-1.npy .. p-3.npy.
class Shards : public CliCase {
 protected:
  void SetUp() override {
    CliCase::SetUp();
    cut(data_.embeddings, "e", 11, npy_f4);
    cut(data_.probs, "p", 3, npy_f8);
  }
  template <class Value, class Npy>
  void cut(const std::vector<Value>& values, const std::string& name, std::size_t shards, Npy npy) const {
    const std::size_t cols = values.size() / 60;
    const auto at = [&](std::size_t shard) {
      return values.begin() + static_cast<std::ptrdiff_t>(60 * shard / shards * cols);
    };
    for (std::size_t shard = 0; shard < shards; ++shard)
      write(fmt::format("{}-{}.npy", name, shard + 1),
            npy({at(shard), at(shard + 1)}, 60 * (shard + 1) / shards - 60 * shard / shards));
  }
  [[nodiscard]] Arguments from_shards(const std::string& out) const {
    return {"select", "--embeddings", path("e-*.npy"), "--probs", path("p-*.npy"), "--out", path(out)};
  }
  void expect_done(const Outcome& outcome) const { EXPECT_EQ(outcome.code, 0) << outcome.err; }
};

TEST_F(Shards, give_the_picks_of_one_file) {
  for (const std::string& strategy : all_strategies()) {
    const Arguments more = {"--budget", "12", "--strategy", strategy};
    expect_done(run_pith(from_shards("cut-" + strategy) + more));
    expect_done(select(more, "whole-" + strategy));
    for (const char* file : {"/indices.npy", "/selection.csv"})
      EXPECT_EQ(file_contents(path("cut-" + strategy) + file),
                file_contents(path("whole-" + strategy) + file))
          << strategy;
  }
}

TEST_F(Shards, stand_in_the_summary_with_a_checksum_each) {
  expect_done(run_pith(from_shards("cut") + Arguments{"--budget", "12"}));
  const Json inputs = read_results(path("cut")).summary.at("inputs");
  const Json whole = selected({"--budget", "12"}).summary.at("inputs");
  EXPECT_EQ(inputs["embeddings"]["path"], path("e-*.npy"));
  EXPECT_EQ(inputs["embeddings"]["checksum"], whole["embeddings"]["checksum"]);
  EXPECT_EQ(inputs["embeddings"]["shape"], whole["embeddings"]["shape"]);
  ASSERT_EQ(inputs["embeddings"]["shards"].size(), 11U);
  EXPECT_EQ(inputs["probs"]["shards"].size(), 3U);
  EXPECT_FALSE(whole["embeddings"].contains("shards"));
  const Json ninth = inputs["embeddings"]["shards"][8];
  EXPECT_EQ(ninth["path"], path("e-9.npy"));
  const Outcome info = run_pith({"info", "--embeddings", path("e-9.npy"), "--json"});
  EXPECT_EQ(ninth["checksum"],
            "xxh3:" + Json::parse(info.out)["embeddings"]["fingerprint"].get<std::string>());
  EXPECT_EQ(ninth["rows"], Json::parse(info.out)["embeddings"]["items"]);
}

TEST_F(Shards, share_graphs_with_the_joined_file) {
  expect_done(run_pith({"graph", "--embeddings", path("e-*.npy"), "--out", path("cut.pith"), "--quiet"}));
  expect_done(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("whole.pith"), "--quiet"}));
  EXPECT_EQ(file_contents(path("cut.pith")), file_contents(path("whole.pith")));
  expect_done(run_pith(from_shards("a") + Arguments{"--budget", "9", "--graph", path("whole.pith")}));
  expect_done(select({"--budget", "9", "--graph", path("cut.pith")}, "b"));
  EXPECT_EQ(file_contents(path("a") + "/selection.csv"), file_contents(path("b") + "/selection.csv"));
}

TEST_F(Shards, can_be_appended_to_and_appended) {
  expect_done(run_pith({"graph", "--embeddings", path("e-[1-4].npy"), "--out", path("old.pith"), "--quiet"}));
  expect_done(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("all.pith"), "--quiet"}));
  expect_done(run_pith({"graph", "--embeddings", path("e-[1-4].npy"), "--graph", path("old.pith"), "--append",
                        path("e-[5-9].npy"), "--out", path("more.pith"), "--recall-sample", "5"}));
  for (const char* shard :
       {"e-1.npy", "e-2.npy", "e-3.npy", "e-4.npy", "e-5.npy", "e-6.npy", "e-7.npy", "e-8.npy", "e-9.npy"})
    std::filesystem::rename(path(shard), path(std::string("f-") + shard));
  expect_done(run_pith({"graph", "--embeddings", path("f-*.npy"), "--graph", path("more.pith"), "--append",
                        path("e-1?.npy"), "--out", path("last.pith")}));
  EXPECT_EQ(file_contents(path("last.pith")), file_contents(path("all.pith")));
}

TEST_F(Shards, are_taken_by_every_command) {
  const Outcome info = run_pith({"info", "--embeddings", path("e-*.npy"), "--probs", path("p-*.npy")});
  EXPECT_THAT(info.out, HasSubstr("e-*.npy (11 shards): 60 items x 5"));
  EXPECT_THAT(info.out, HasSubstr("p-*.npy (3 shards): 60 items x 4 classes"));
  const auto table = [&](const std::string& e, const std::string& p) {
    expect_done(run_pith({"compare", "--embeddings", path(e), "--probs", path(p), "--budget", "6",
                          "--strategies", "submod-bal,k-center", "--out", path("t.csv")}));
    std::vector<std::string> kept;
    for (const auto& record : csv_records(file_contents(path("t.csv"))))
      kept.push_back(record.at(1) + record.at(2));
    return kept;
  };
  EXPECT_EQ(table("e-*.npy", "p-*.npy"), table("e.npy", "p.npy"));
  expect_done(run_pith({"round", path("rounds"), "--embeddings", path("e-*.npy"), "--probs", path("p-*.npy"),
                        "--budget", "6"}));
  expect_done(run_pith(from_shards("chosen") + Arguments{"--budget", "9"}));
  expect_done(run_pith({"report", path("chosen"), "--out", path("page.html")}));
}

TEST_F(Shards, of_ids_are_read_like_one_file) {
  std::string all;
  for (std::size_t shard = 0; shard < 12; ++shard) {
    std::string some;
    for (std::size_t item = 5 * shard; item < 5 * (shard + 1); ++item)
      some += fmt::format("image-{}.png\n", item);
    write(fmt::format("ids-{}.txt", shard), some);
    all += some;
  }
  write("ids.txt", all);
  expect_done(run_pith(from_shards("cut") + Arguments{"--budget", "9", "--ids", path("ids-*.txt")}));
  const Results whole = selected({"--budget", "9", "--ids", path("ids.txt")});
  EXPECT_EQ(file_contents(path("cut") + "/selection.csv"), file_contents(path("out") + "/selection.csv"));
  EXPECT_EQ(read_results(path("cut")).summary.at("inputs").at("ids").at("checksum"),
            whole.summary.at("inputs").at("ids").at("checksum"));
  std::filesystem::remove_all(path("out"));
  const Arguments with_ids = from_shards("out") + Arguments{"--budget", "9", "--ids", path("ids-*.txt")};
  write("ids-3.txt", "a\n");
  expect_refused(run_pith(with_ids), 3, {"ids-*.txt", "56 ids in 12 files for 60 items"});
  write("ids-3.txt", "a\nb\nc\nd\nimage-7.png\n");
  expect_refused(run_pith(with_ids), 3, {"ids-3.txt", "image-7.png", "ids-1.txt already"});
}

TEST_F(Shards, that_do_not_fit_are_refused) {
  const Arguments rest = {"--probs", path("p.npy"), "--budget", "5", "--out", path("out")};
  const auto run = [&](const std::string& pattern) {
    return run_pith(Arguments{"select", "--embeddings", path(pattern)} + rest);
  };
  expect_refused(run("x-*.npy"), 4, {"x-*.npy", "no file matches"});
  expect_refused(run("e-[12].npy"), 3, {"e-[12].npy has 10 rows", "p.npy has 60"});
  write("e-7.npy", npy_f4(std::vector<float>(12, 1), 2));
  expect_refused(run("e-*.npy"), 3, {"e-7.npy: 6 columns", "e-1.npy has 5"});
  write("e-7.npy", npy_f8(std::vector<double>(10, 1), 2));
  expect_refused(run("e-*.npy"), 3, {"e-7.npy: f64", "e-1.npy has f32"});
  expect_refused(run_pith({"select", "--embeddings", path("e-1.npy"), path("e-2.npy"), "--out", path("out")}),
                 2, {"e-2.npy", "does not belong here", "in quotes"});
}

}  // namespace
}  // namespace pith::testing
