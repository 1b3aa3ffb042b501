#include "handover/rounds.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "data/json.h"
#include "data/mapped_file.h"
#include "data/refuse.h"
#include "pith/error.h"

namespace pith {
namespace {

constexpr int format_version = 1;

}  // namespace

std::string rounds_json(const Rounds& rounds) {
  nlohmann::ordered_json json = {{"format", format_version}};
  json["settings"] = nlohmann::ordered_json::object();
  for (const auto& [name, values] : rounds.settings) json["settings"][name] = values;
  json["rounds"] = nlohmann::ordered_json::array();
  for (const Round& round : rounds.rounds)
    json["rounds"].push_back({{"folder", round.folder},
                              {"labels", round.labels},
                              {"labelled", round.labelled},
                              {"selected", round.selected}});
  try {
    return json.dump(2) + "\n";
  } catch (const nlohmann::json::type_error&) {  // replaced, it would name another file
    throw Error(
        ErrorKind::bad_option,
        fmt::format("a path is not UTF-8 text and cannot be kept in {}; rename the file", rounds_name));
  }
}

Rounds read_rounds(const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / rounds_name).string();
  const nlohmann::json json = parse_json(map_file(path).text(), 8, path, "the file");
  Rounds rounds;
  try {
    if (json.at("format") != format_version)
      refuse_input(path, "has format {}, but this pith reads {}; use a newer one", json.at("format").dump(),
                   format_version);
    json.at("settings").get_to(rounds.settings);
    for (const nlohmann::json& round : json.at("rounds"))
      rounds.rounds.push_back({.folder = round.at("folder").get<std::string>(),
                               .labels = round.at("labels").get<std::string>(),
                               .labelled = whole_number_of<std::uint64_t>(round.at("labelled")),
                               .selected = whole_number_of<std::uint64_t>(round.at("selected"))});
  } catch (const nlohmann::json::exception&) {
    refuse_input(path, "is not what pith round writes; start again in another folder");
  }
  for (const Round& round : rounds.rounds)
    if (std::filesystem::path(round.folder).has_parent_path() || round.folder == "..")
      refuse_input(path, "round folder {} lies elsewhere; start again in another folder",
                   in_quotes(round.folder));
  return rounds;
}

}  // namespace pith
