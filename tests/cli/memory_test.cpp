#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <fstream>

#include "support/cli_case.h"
#include "support/sanitized.h"

namespace pith::testing {
namespace {

using ::testing::HasSubstr;

std::string in_shell_quotes(const std::string& word) {
  return "'" + word + "'";
}

class Memory : public CliCase {
 protected:
  /// The command with so much memory for its data and no more: a hard limit that needs no privileges. Mapped
  /// files do not count, all that is allocated does.
  [[nodiscard]] Outcome run_limited(std::size_t mebibytes, const Arguments& arguments) const {
    std::string command =
        fmt::format("ulimit -d {} && exec {}", mebibytes * 1024, in_shell_quotes(PITH_COMMAND));
    for (const std::string& argument : arguments) command += fmt::format(" {}", in_shell_quotes(argument));
    command += fmt::format(" >'{}' 2>'{}'", path("limited.out"), path("limited.err"));
    const int status = std::system(command.c_str());
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = file_contents(path("limited.out"));
    outcome.err = file_contents(path("limited.err"));
    return outcome;
  }
  /// Why no limit can be set here, or nothing.
  [[nodiscard]] std::string no_limit() const {
    if (sanitized) return "sanitizers hold memory of their own";
    if (run_limited(1, {"--version"}).code == 0) return "this system does not keep to ulimit -d";
    if (run_limited(64, {"--version"}).code != 0) return "the command does not even start within 64 MiB";
    return "";
  }

  /// Rows around 64 centres, in two shards.
  void write_embeddings(std::size_t rows, std::size_t cols) const {
    std::uint64_t state = 1;
    const auto next = [&] { return static_cast<float>((state = state * 6364136223846793005ULL + 1) >> 40); };
    std::vector<float> centers(64 * cols);
    for (float& x : centers) x = next();
    std::vector<float> row(cols);
    std::ofstream whole(path("rows.npy"), std::ios::binary);
    whole << npy_file("<f4", shape_of(rows, cols), "");
    for (std::size_t shard = 0; shard < 2; ++shard) {
      std::ofstream part(path(fmt::format("rows-{}.npy", shard)), std::ios::binary);
      part << npy_file("<f4", shape_of(rows / 2, cols), "");
      for (std::size_t at = 0; at < rows / 2; ++at) {
        const std::size_t center = (shard * rows / 2 + at) * 29 % 64;
        for (std::size_t d = 0; d < cols; ++d) row[d] = centers[center * cols + d] + next() / 2;
        for (std::ofstream* file : {&part, &whole})
          file->write(reinterpret_cast<const char*>(row.data()), static_cast<std::streamsize>(cols * 4));
      }
    }
  }
  /// Three classes a row, the rest zeros, which a sparse file does not even store.
  void write_probabilities(std::size_t rows, std::size_t classes) const {
    std::ofstream file(path("many.npy"), std::ios::binary);
    const std::string header = npy_file("<f4", shape_of(rows, classes), "");
    file << header;
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t place = 0; place < 3; ++place) {
        const float p = std::array{0.5F, 0.3F, 0.2F}[(row / 7 + place) % 3];
        const std::size_t at = row * classes + (row % 50 + place * (1 + row % 11)) % classes;
        file.seekp(static_cast<std::streamoff>(header.size() + 4 * at));
        file.write(reinterpret_cast<const char*>(&p), sizeof p);
      }
    file.close();
    std::filesystem::resize_file(path("many.npy"), header.size() + 4 * rows * classes);
  }
};

TEST_F(Memory, inputs_four_times_the_hard_limit_give_the_same_picks) {
  if (const std::string reason = no_limit(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr std::size_t limit = 128;  // MiB
  write_embeddings(16'384, 1024);
  write_probabilities(16'384, 7168);
  const auto inputs =
      std::filesystem::file_size(path("rows.npy")) + std::filesystem::file_size(path("many.npy"));
  ASSERT_GE(inputs, 4 * (limit << 20));
  const Arguments common = {"--probs", path("many.npy"), "--budget", "2%", "--threads", "2"};
  const Outcome free = run_pith(
      Arguments{"select", "--embeddings", path("rows.npy"), "--out", path("free"), "--quiet"} + common);
  ASSERT_EQ(free.code, 0) << free.err;
  const Outcome limited = run_limited(limit, Arguments{"select", "--embeddings", path("rows-*.npy"),
                                                       "--memory", "100M", "--out", path("limited")} +
                                                 common);
  ASSERT_EQ(limited.code, 0) << limited.err << limited.out;
  for (const char* part : {"Plan: ", "of 105 MB allowed", "embeddings in 2 shards (68 MB)", "searching 10"})
    EXPECT_THAT(limited.out, HasSubstr(part));
  EXPECT_EQ(file_contents(path("limited") + "/indices.npy"), file_contents(path("free") + "/indices.npy"));
  EXPECT_EQ(file_contents(path("limited") + "/selection.csv"),
            file_contents(path("free") + "/selection.csv"));
  EXPECT_LE(read_results(path("limited")).summary.at("plan").at("bytes"), 100U << 20);
}

TEST_F(Memory, what_cannot_work_is_refused_before_the_work) {
  use(make_data(3000, 3, 4, 2));
  const Arguments tight = {"--budget", "6", "--neighbors", "1500", "--memory", "64M"};
  expect_refused(select(tight), 2, {"--memory: 68 MB allowed", "no less than", "finding triangles"});
  expect_refused(run_pith({"graph", "--embeddings", path("e.npy"), "--neighbors", "1500", "--memory", "64M",
                           "--out", path("out")}),
                 2, {"--memory: 68 MB allowed", "no less than"});
  expect_refused(run_pith({"compare", "--embeddings", path("e.npy"), "--probs", path("p.npy"), "--budget",
                           "6", "--neighbors", "1500", "--memory", "64M", "--strategies", "margin,random",
                           "--out", path("out")}),
                 2, {"--memory: 68 MB allowed", "no less than"});
}

TEST_F(Memory, the_least_is_enough_for_every_command_that_builds_a_graph) {
  const Arguments small = {"--embeddings", path("e.npy"), "--probs",  path("p.npy"),
                           "--budget",     "6",           "--memory", "64M"};
  const Arguments strategies = {"compare", "--strategies", "submod-bal,margin"};
  const Outcome compared = run_pith(strategies + small);
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("of 68 MB allowed"));
  const Outcome round = run_pith(Arguments{"round", path("work")} + small);
  EXPECT_EQ(round.code, 0) << round.err;
  EXPECT_TRUE(std::filesystem::exists(path("work/graph.pith")));
  // An option of the graph is refused all the same where it cannot be.
  EXPECT_EQ(run_pith(strategies + small + Arguments{"--recall", "2"}).code, 2);
  EXPECT_EQ(run_pith(Arguments{"round", path("odd")} + small + Arguments{"--recall", "2"}).code, 2);
}

TEST_F(Memory, ids_are_in_the_plan_that_is_shown_and_in_the_one_that_is_followed) {
  std::string ids;
  for (int item = 0; item < 60; ++item) ids += fmt::format("{:0>1000}\n", item);
  write("ids.txt", ids);
  const Arguments options = {"--budget", "6", "--ids", path("ids.txt")};
  const Json shown = Json::parse(select(options + Arguments{"--plan", "--json"}).out);
  const Json with = selected(options).summary.at("plan");
  const Json without = selected({"--budget", "6"}).summary.at("plan");
  EXPECT_EQ(with.at("bytes"), shown.at("bytes"));
  EXPECT_GE(with.at("bytes").get<std::uint64_t>(), without.at("bytes").get<std::uint64_t>() + 60'000);
}

TEST_F(Memory, too_little_of_it_is_told_with_what_the_work_needs) {
  if (const std::string reason = no_limit(); !reason.empty()) GTEST_SKIP() << reason;
  ASSERT_EQ(run_pith({"synth", "--items", "500000", "--dim", "8", "--classes", "4", "--out", path("many"),
                      "--quiet"})
                .code,
            0);
  expect_refused(run_limited(96, {"select", "--embeddings", path("many/embeddings.npy"), "--probs",
                                  path("many/probs.npy"), "--budget", "1%", "--quiet", "--out", path("out")}),
                 4, {"out of memory; nothing was written. This needs about ", " MB (--plan shows what for)"});
  expect_refused(run_limited(96, {"graph", "--embeddings", path("many/embeddings.npy"), "--quiet", "--out",
                                  path("out")}),
                 4, {"out of memory; nothing was written. This needs about "});
}

TEST_F(Memory, the_plan_alone_does_no_work) {
  // Nothing but the header is there to be read: the rest is a hole.
  const std::string header = npy_file("<f4", shape_of(1'000'000, 64), "");
  write("huge.npy", header);
  std::filesystem::resize_file(path("huge.npy"), header.size() + std::uintmax_t{256} * 1'000'000);
  const std::string of_probs = npy_file("<f4", shape_of(1'000'000, 10), "");
  write("huge-p.npy", of_probs);
  std::filesystem::resize_file(path("huge-p.npy"), of_probs.size() + std::uintmax_t{40} * 1'000'000);
  const Arguments huge = {"select",   "--embeddings", path("huge.npy"), "--probs", path("huge-p.npy"),
                          "--budget", "1%",           "--plan"};
  const Outcome text = run_pith(huge);
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("embeddings (256 MB)"));
  const Json plan = Json::parse(run_pith(huge + Arguments{"--json"}).out);
  EXPECT_EQ(plan.at("stages").size(), 5U);
  EXPECT_EQ(run_pith(huge + Arguments{"--memory", "64M"}).code, 2);
  EXPECT_THAT(run_pith({"graph", "--embeddings", path("huge.npy"), "--plan"}).out, HasSubstr("Plan: "));
  expect_no_leftovers();
}

TEST_F(Memory, the_plan_is_shown_where_memory_is_limited_and_nowhere_else) {
  EXPECT_THAT(select({"--budget", "6", "--memory", "64M"}).out, HasSubstr("Plan: "));
  EXPECT_THAT(run_pith({"graph", "--embeddings", path("e.npy"), "--memory", "64M", "--out", path("g")}).out,
              HasSubstr("Plan: "));
  for (const Arguments& more :
       std::vector<Arguments>{{}, {"--memory", "64M", "--quiet"}, {"--memory", "64M", "--json"}})
    EXPECT_EQ(select(more + Arguments{"--budget", "6"}).out.find("Plan: "), std::string::npos);
  const Json plan = selected({"--budget", "6"}).summary.at("plan");
  EXPECT_GT(plan.at("bytes"), 0);
  EXPECT_EQ(plan.at("stages").size(), 5U);
}

}  // namespace
}  // namespace pith::testing
