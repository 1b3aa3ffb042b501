#include "parse_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/suggest.h"

namespace pith::cli {
namespace {

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_word(word, std::vector<std::string_view>(known.begin(), known.end()));
  return nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest);
}

std::string unknown_option(const CLI::App& command, const std::string& given) {
  const std::string name = given.substr(0, given.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) known.push_back(option->get_name());
  if (std::find(known.begin(), known.end(), name) != known.end())
    return fmt::format("'{}' stands in the wrong place; write it after pith {}", name, command.get_name());
  return fmt::format("unknown option '{}'{}; see {} --help", name, suggestion(name, known),
                     command.get_parent() == nullptr ? "pith" : "pith " + command.get_name());
}

std::string misplaced_word(const std::string& word) {
  return fmt::format(
      "'{}' does not belong here; values follow their option, as in --out DIR; patterns stand in quotes, "
      "as in 'part-*.npy'",
      word);
}

}  // namespace

std::optional<std::string> unknown_command(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  if (!app.get_subcommands().empty() || words.empty() || words.front().starts_with('-')) return {};
  std::vector<std::string> known;
  for (const CLI::App* other : app.get_subcommands({})) known.push_back(other->get_name());
  return fmt::format("unknown command '{}'{}; see pith --help", words.front(),
                     suggestion(words.front(), known));
}

std::string parse_message(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> words = app.remaining(true);
    if (const auto unknown = unknown_command(app)) return *unknown;
    const auto option = std::find_if(words.begin(), words.end(),
                                     [](const std::string& word) { return word.starts_with('-'); });
    if (option != words.end()) return unknown_option(command, *option);
    if (!words.empty()) return misplaced_word(words.front());
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string option = what.substr(0, what.find(':'));
    if (what.find("At Most") != std::string::npos) return option + " is given more than once; give it once";
    return option + " needs a value after it";
  }
  return what;
}

}  // namespace pith::cli
