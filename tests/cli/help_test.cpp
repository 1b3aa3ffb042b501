#include "support/cli_case.h"

namespace pith::testing {
namespace {

using ::testing::HasSubstr;

void expect_help(const Arguments& arguments, const std::vector<std::string>& parts) {
  const Outcome outcome = run_pith(arguments);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const std::string& part : parts) EXPECT_THAT(outcome.out, HasSubstr(part));
}

TEST(Help, alone_and_asked_for) {
  const std::vector<std::string> parts = {"select", "compare", "graph", "info",  "synth",   "report",
                                          "export", "import",  "round", "serve", "Example", "pith select --"};
  expect_help({}, parts);
  expect_help({"--help"}, parts);
  expect_help({"-h"}, parts);
  expect_help({"select", "-h"}, {"Usage: pith select"});
  expect_help({"help"}, parts);
  EXPECT_EQ(run_pith({"help", "select"}).out, run_pith({"select", "--help"}).out);
  expect_help({"help", "select"}, {"Usage: pith select"});
}

TEST(Help, select_tells_every_option_of_the_contract) {
  std::vector<std::string> parts = {"Example", "pith select --", "Exit codes"};
  for (const char* name : {"embeddings",
                           "probs",
                           "budget",
                           "out",
                           "strategy",
                           "seed",
                           "threads",
                           "graph",
                           "neighbors",
                           "metric",
                           "symmetry",
                           "knn",
                           "recall",
                           "memory",
                           "uncertainty",
                           "lambda",
                           "term",
                           "costs",
                           "budget-cost",
                           "optimizer",
                           "stochastic-epsilon",
                           "threshold-epsilon",
                           "areas",
                           "clique-size",
                           "boundaries-per-item",
                           "scores",
                           "facility",
                           "graph-cut-lambda",
                           "gamma",
                           "eta",
                           "area-threshold",
                           "area-quantile",
                           "triple-scale",
                           "balance",
                           "tau",
                           "class-cap",
                           "class-slack",
                           "boundary-cap",
                           "boundary-slack",
                           "shortfall",
                           "preset",
                           "labelled",
                           "exclude",
                           "ids",
                           "config",
                           "quiet",
                           "json",
                           "logits"})
    parts.push_back("--" + std::string(name) + " ");
  for (const std::string& strategy : all_strategies()) parts.push_back(strategy);
  for (const char* values :
       {"cosine|l2|l1", "union|mutual", "exact|approximate|auto", "95% confidence", "4G",
        "margin|entropy|least-confidence", "max|mean|none", "auto|L1,L2,L3", "auto|G",
        "both|class|boundary|none", "uniform|proportional|N|FILE", "relax|stop|error", "default|paper"})
    parts.emplace_back(values);
  expect_help({"select", "--help"}, parts);
}

TEST(Help, of_the_other_commands) {
  expect_help({"compare", "--help"}, {"--strategies", "--embeddings", "--probs", "--budget", "--balance",
                                      "--out", "--json", "Example", "pith compare --"});
  expect_help({"graph", "--help"}, {"--embeddings", "--out", "--neighbors", "--metric", "--symmetry", "--knn",
                                    "--recall ", "--memory", "--append", "--graph", "--stats",
                                    "--recall-sample", "--threads", "--json", "Example", "pith graph --"});
  expect_help({"info", "--help"},
              {"--embeddings", "--probs", "--logits", "--graph", "--json", "Example", "pith info --"});
  expect_help({"synth", "--help"}, {"--items", "--dim", "--classes", "--long-tail", "--seed", "--out",
                                    "Example", "pith synth --"});
  expect_help({"report", "--help"},
              {"--out", "--experiment", "--embeddings", "--probs", "--graph", "--class-names", "--images",
               "--map", "--points", "--seed", "--threads", "--quiet", "Example", "pith report chosen"});
  expect_help({"export", "--help"},
              {"--to ", "label-studio|cvat|fiftyone|csv|jsonl|txt|coco-image-list", "--out", "--prefix",
               "--class-names", "--data-key", "--from-name", "--to-name", "Example", "pith export chosen"});
  expect_help({"import", "--help"},
              {"--out", "--run", "--class-names", "--prefix", "--conflict", "Example", "pith import "});
  expect_help({"round", "--help"}, {"--labels", "--status", "--embeddings", "--budget", "--strategy",
                                    "Example", "pith round work"});
}

TEST(Help, no_line_is_too_wide_to_read) {
  for (const char* command :
       {"select", "compare", "graph", "info", "synth", "report", "export", "import", "round"}) {
    const std::string help = run_pith({command, "--help"}).out;
    for (std::size_t begin = 0; begin < help.size();) {
      const std::size_t end = help.find('\n', begin);
      EXPECT_LE(end - begin, 140U) << help.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

TEST(Help, version) {
  const Outcome outcome = run_pith({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, ::testing::MatchesRegex("pith [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

}  // namespace
}  // namespace pith::testing
