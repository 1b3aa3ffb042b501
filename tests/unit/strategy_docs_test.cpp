#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "strategy/registry.h"

// docs/strategies.md against the registry: nobody is left out, and nobody is without a source.
namespace pith {
namespace {

/// The file's parts between empty lines.
std::vector<std::string> read_blocks() {
  std::ifstream file(fmt::format("{}/docs/strategies.md", PITH_SOURCE_DIR));
  std::vector<std::string> blocks(1);
  for (std::string line; std::getline(file, line);) {
    if (line.empty())
      blocks.emplace_back();
    else
      blocks.back().append(line).push_back('\n');
  }
  return blocks;
}

/// As a word of its own: no letter and no hyphen beside it.
bool names(const std::string& text, const std::string& name) {
  const auto joins = [&](std::size_t at) {
    return at < text.size() && (text[at] == '-' || std::islower(static_cast<unsigned char>(text[at])) != 0);
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
    if (!(at > 0 && joins(at - 1)) && !joins(at + name.size())) return true;
  return false;
}

bool has_a_year(const std::string& text) {
  for (std::size_t at = 0; at + 4 <= text.size(); ++at) {
    const std::string four = text.substr(at, 4);
    if ((four.starts_with("19") || four.starts_with("20")) &&
        std::isdigit(static_cast<unsigned char>(four[2])) != 0 &&
        std::isdigit(static_cast<unsigned char>(four[3])) != 0)
      return true;
  }
  return false;
}

/// What is said of a strategy: the parts that begin with its name in bold, and those under a heading of its
/// own.
std::string text_about(const std::vector<std::string>& blocks, const std::string& name) {
  std::string text;
  bool under_its_heading = false;
  for (const std::string& block : blocks) {
    if (block.starts_with("#")) under_its_heading = block == fmt::format("### {}\n", name);
    const std::size_t end = block.find("**", 2);
    const bool in_bold =
        block.starts_with("**") && end != std::string::npos && names(block.substr(2, end - 2), name);
    // "**random**: ... **stratified**: ..." in one part.
    if (in_bold || under_its_heading || block.find(fmt::format(" **{}**:", name)) != std::string::npos)
      text += block;
  }
  return text;
}

TEST(StrategyDocs, every_strategy_has_a_paragraph_and_a_reference) {
  const std::vector<std::string> blocks = read_blocks();
  for (const Strategy& strategy : strategies()) {
    const std::string text = text_about(blocks, std::string(strategy.name));
    EXPECT_FALSE(text.empty()) << strategy.name;
    EXPECT_TRUE(has_a_year(text)) << strategy.name << ":\n" << text;
  }
}

/// The table that says what labelled items do, what is needed and who draws.
TEST(StrategyDocs, the_table_tells_needs_and_seed_as_the_registry_has_them) {
  std::string table;
  for (const std::string& block : read_blocks())
    if (block.starts_with("| strategy | needs |")) table = block;
  for (const Strategy& strategy : strategies()) {
    std::string row;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);)
      if (line.substr(0, line.find('|', 1)).find(fmt::format("`{}`", strategy.name)) != std::string::npos)
        row = line;
    ASSERT_FALSE(row.empty()) << strategy.name;
    std::vector<std::string> cells;
    std::istringstream parts(row.substr(1));
    for (std::string cell; std::getline(parts, cell, '|');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 4U) << row;
    EXPECT_EQ(names(cells[1], "graph"), strategy.needs_objective) << row;
    EXPECT_EQ(names(cells[1], "embeddings"), strategy.needs_embeddings) << row;
    EXPECT_EQ(names(cells[1], "probabilities") || names(cells[1], "models"), strategy.needs_models > 0)
        << row;
    EXPECT_EQ(cells[2] != " ", strategy.uses_seed) << row;
    EXPECT_GT(cells[3].size(), 3U) << row;
  }
}

}  // namespace
}  // namespace pith
