#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>

#include "support/cli_case.h"

namespace pith::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* commands[] = {"select", "compare", "graph",  "info", "synth",
                                    "report", "export",  "import", "round"};

std::string printed(const Arguments& arguments) {
  const Outcome outcome = run_pith(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.out;
}

/// Every "--option" that --help lists.
std::vector<std::string> options_in_help(const std::string& command) {
  std::vector<std::string> options;
  std::istringstream lines(printed({command, "--help"}));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  --")) options.push_back(line.substr(2, line.find(' ', 2) - 2));
  return options;
}

/// What a script for bash prints, on both its outputs; nothing where it fails.
std::optional<std::string> shell(const TempDir& folder, const std::string& script) {
  const std::string path = folder.path("script");
  std::ofstream(path) << script;
  FILE* const pipe = popen(fmt::format("bash '{}' 2>&1", path).c_str(), "r");
  std::string out;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
  if (pclose(pipe) != 0) return std::nullopt;
  return out;
}

/// Feeds a command line to the completion script of bash.
std::string completed(const std::string& words, int at) {
  const TempDir folder;
  return shell(folder, fmt::format("PATH=$(dirname {}):$PATH\nsource {}/packaging/completions/pith.bash\n"
                                   "COMP_WORDS=({})\nCOMP_CWORD={}\n_pith\necho \"${{COMPREPLY[@]}}\"\n",
                                   PITH_COMMAND, PITH_SOURCE_DIR, words, at))
      .value_or("failed");
}

class Manual : public CliCase {};

TEST_F(Manual, has_every_option_that_help_lists) {
  const std::string markdown = printed({"--manual", "markdown"});
  const std::string words = printed({"--manual", "words"});
  for (const std::string command : commands) {
    std::string page = printed({"--manual", "man:" + command});
    EXPECT_THAT(markdown, HasSubstr("## pith " + command + "\n"));
    const std::vector<std::string> options = options_in_help(command);
    EXPECT_GT(options.size(), 2U);
    std::erase(page, '\\');
    for (const std::string& option : options) {
      EXPECT_THAT(page, HasSubstr(".B " + option)) << command;
      EXPECT_THAT(words, HasSubstr(fmt::format("\n{}\t{}\t", command, option)));
    }
    EXPECT_THAT(printed({"--manual", "man"}), HasSubstr("pith\\-" + command));
  }
}

TEST_F(Manual, its_pages_are_clean_roff) {
  const TempDir folder;
  if (!shell(folder, "command -v groff")) GTEST_SKIP() << "groff is not installed";
  for (const std::string command : commands) {
    const auto complaints =
        shell(folder, fmt::format("{} --manual man:{} | groff -man -Tutf8 -ww -rLL=100n 2>&1 >/dev/null",
                                  PITH_COMMAND, command));
    EXPECT_EQ(complaints, "") << command;
  }
}

TEST_F(Manual, unknown_formats_are_refused) {
  for (const char* format : {"pdf", "man:selct", "man:", ""}) {
    const Outcome outcome = run_pith({"--manual", format});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("choose man, man:COMMAND, markdown or words"));
  }
}

TEST_F(Manual, bash_completes_commands_options_and_values) {
  EXPECT_EQ(completed("pith sel", 1), "select\n");
  EXPECT_THAT(completed("pith ''", 1), HasSubstr("compare graph info"));
  EXPECT_EQ(completed("pith select --emb", 2), "--embeddings\n");
  EXPECT_EQ(completed("pith select --metric ''", 3), "cosine l2 l1\n");
  EXPECT_EQ(completed("pith select --metric l", 3), "l2 l1\n");
  EXPECT_EQ(completed("pith export --to label", 3), "label-studio\n");
  write("some-file.npy", "");
  EXPECT_THAT(completed(fmt::format("pith select --embeddings {}", path("some")), 3),
              HasSubstr("some-file.npy"));
}

}  // namespace
}  // namespace pith::testing
