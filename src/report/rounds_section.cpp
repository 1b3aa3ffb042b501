#include <filesystem>

#include "data/json.h"
#include "handover/rounds.h"
#include "report/sections.h"

namespace pith {

PageJson rounds_section(const std::string& folder) {
  PageJson out = PageJson::array();
  for (const Round& round : read_rounds(folder).rounds) {
    const std::string path = (std::filesystem::path(folder) / round.folder).string();
    const RunFolder run = read_run_folder(path);
    const nlohmann::json& summary = run.summary;
    std::size_t covered = 0;
    for (const nlohmann::json& row : summary.at("constraints").at("class"))
      covered += row.at("selected").get<std::int64_t>() + row.at("labelled").get<std::int64_t>() > 0 ? 1 : 0;
    out.push_back({{"folder", round.folder},
                   {"labelled", round.labelled},
                   {"selected", run.picks.size()},
                   {"strategy", summary.at("strategy")},
                   {"classes_covered", covered},
                   {"mean_uncertainty", summary.at("coverage").value("mean_uncertainty", 0.0)},
                   {"mean_uncertainty_of_all", summary.at("coverage").value("mean_uncertainty_of_all", 0.0)},
                   {"represented", summary.at("coverage").value("represented", nlohmann::json())}});
  }
  return out;
}

}  // namespace pith
