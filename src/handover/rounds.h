#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pith {

/// One round of choosing and labelling.
struct Round {
  std::string folder;          ///< within the rounds folder: "round-1"
  std::string labels;          ///< the file of finished labels that began it; empty for the first
  std::uint64_t labelled = 0;  ///< items that had labels when it was chosen
  std::uint64_t selected = 0;
};

/// rounds.json of a folder of rounds: the settings every round starts from, and the rounds so far.
struct Rounds {
  /// Options of pith select as on the command line, by name; lists have one entry a value, flags none.
  std::map<std::string, std::vector<std::string>> settings;
  std::vector<Round> rounds;

  /// Name of the round to come.
  [[nodiscard]] std::string next_folder() const { return "round-" + std::to_string(rounds.size() + 1); }
};

inline constexpr const char* rounds_name = "rounds.json";

[[nodiscard]] std::string rounds_json(const Rounds& rounds);
/// Errors name the file and what is wrong with it.
[[nodiscard]] Rounds read_rounds(const std::string& folder);

}  // namespace pith
