#include <filesystem>

#include "base/thousands.h"
#include "data/manifest.h"
#include "data/refuse.h"
#include "handover/rounds.h"
#include "report/sections.h"

namespace pith {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t extremes_shown = 12;
constexpr std::size_t most_thumbnails = 400;

/// "chosen" of "out/chosen/", the name the page goes by.
std::string name_of(const std::string& folder) {
  const fs::path path = fs::absolute(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

void add_run(PageJson& data, Report& report, const std::string& path, const ReportOptions& options,
             const Run& run) {
  const RunFolder folder = read_run_folder(path);
  RunInputs inputs = find_run_inputs(folder, options.inputs, {}, run);
  const ItemMap map = make_map(folder, inputs, options.map, run);
  report.points = map.pca.empty() && map.layout.empty() ? 0 : map.items.size();

  const Extremes extremes = find_extremes(folder, extremes_shown);
  std::vector<std::uint32_t> always = extremes.certain;
  always.insert(always.end(), extremes.uncertain.begin(), extremes.uncertain.end());
  const std::vector<std::uint32_t> listed = choose_listed(folder, always);
  if (listed.size() < folder.picks.size())
    inputs.notes.push_back(
        fmt::format("The list of picks has the first {} of {}; selection.csv has them all.",
                    with_commas(most_listed_picks), with_commas(folder.picks.size())));
  data["run"] = run_section(folder);
  data["class_names"] = nullptr;
  if (!options.class_names.empty()) data["class_names"] = read_ids(options.class_names, folder.classes());
  data["classes"] = groups_section(folder, "class");
  data["boundaries"] = groups_section(folder, "boundary");
  data["picks"] = picks_section(folder, listed);
  data["certain"] = extremes.certain;
  data["uncertain"] = extremes.uncertain;
  data["gain"] = gain_section(folder);
  data["map"] = map_section(folder, inputs, map, run);
  data["thumbnails"] = thumbnails_section(folder, listed, extremes, options.images, most_thumbnails, run);
  report.notes = std::move(inputs.notes);
}

}  // namespace

Report make_report(const std::string& folder, const ReportOptions& options, const Run& run) {
  require_folder(folder, "give the folder that pith select --out, pith round or pith experiment wrote");
  Report report;
  PageJson data = {{"format", 1}, {"name", name_of(folder)}};
  for (const char* part : {"run", "map", "experiment", "rounds"}) data[part] = nullptr;
  const bool is_experiment = folder_has(folder, "results.jsonl") && !folder_has(folder, "summary.json");
  if (folder_has(folder, rounds_name)) {
    data["rounds"] = rounds_section(folder);
    const Rounds rounds = read_rounds(folder);
    if (rounds.rounds.empty()) refuse_input(folder, "has no finished round; run pith round {} first", folder);
    add_run(data, report, (fs::path(folder) / rounds.rounds.back().folder).string(), options, run);
  } else if (!is_experiment) {
    add_run(data, report, folder, options, run);
  }
  const std::string experiment = !options.experiment.empty() ? options.experiment
                                 : is_experiment             ? folder
                                                             : "";
  if (!experiment.empty()) {
    data["experiment"] = experiment_section(experiment);
    if (data["experiment"].is_null())
      refuse_input(experiment, "has no finished training; let pith experiment finish some");
  }
  data["notes"] = report.notes;
  report.html = fill_page(data.dump(-1, ' ', false, PageJson::error_handler_t::replace));
  return report;
}

}  // namespace pith
