#include <filesystem>

#include "base/thousands.h"
#include "data/manifest.h"
#include "data/refuse.h"
#include "data/text.h"
#include "handover/rounds.h"
#include "report/sections.h"
#include "report/thumbnails.h"

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

PageJson empty_page(const std::string& name) {
  PageJson data = {{"format", 1}, {"name", name}};
  for (const char* part : {"run", "map", "experiment", "rounds"}) data[part] = nullptr;
  return data;
}

void add_experiment(PageJson& data, const std::string& folder) {
  if (folder.empty()) return;
  data["experiment"] = experiment_section(folder);
  if (data["experiment"].is_null())
    refuse_input(folder, "has no finished training; let pith experiment finish some");
}

Report finish(PageJson data, Report report) {
  data["notes"] = report.notes;
  report.html = fill_page(data.dump(-1, ' ', false, PageJson::error_handler_t::replace));
  return report;
}

ReportedRun open_run(const std::string& path, const ReportOptions& options, const Run& run) {
  ReportedRun opened{.name = name_of(path), .folder = read_run_folder(path), .inputs = {}, .class_names = {}};
  opened.inputs = find_run_inputs(opened.folder, options.inputs, {}, run);
  if (!options.class_names.empty())
    opened.class_names = read_class_names(options.class_names, opened.folder.classes());
  return opened;
}

/// Whether pictures are to be expected: somebody says where, or ids end as their files do.
bool names_pictures(const RunFolder& folder, const ReportOptions& options) {
  if (!folder.has_ids || !Thumbnails::possible()) return false;
  const std::string extension = extension_of(folder.picks[0].id);
  return !options.images.empty() || extension == ".jpg" || extension == ".jpeg" || extension == ".png";
}

void add_run(PageJson& data, Report& report, ReportedRun reported, const ReportOptions& options,
             const Run& run) {
  if (!options.images.empty()) require_folder(options.images, "give the folder that the ids are paths in");
  const RunFolder& folder = reported.folder;
  RunInputs& inputs = reported.inputs;
  const ItemMap map = make_map(folder, inputs, options.map, run);
  report.points = map.has_places() ? map.items.size() : 0;

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
  if (!reported.class_names.empty()) data["class_names"] = reported.class_names;
  data["classes"] = groups_section(folder, "class");
  data["boundaries"] = groups_section(folder, "boundary");
  data["picks"] = picks_section(folder, listed);
  data["certain"] = extremes.certain;
  data["uncertain"] = extremes.uncertain;
  data["gain"] = gain_section(folder);
  data["map"] = map_section(folder, inputs, map, run);
  data["thumbnails"] = thumbnails_section(folder, listed, extremes, options.images, most_thumbnails, run);
  if (data["thumbnails"].is_null() && !listed.empty() && names_pictures(folder, options))
    inputs.notes.push_back(fmt::format(
        "None of the picks' pictures was found; the first looked for is {}. Say --images DIR if they "
        "lie elsewhere.",
        printable((fs::path(options.images) / folder.picks[listed[0]].id).string())));
  report.notes = std::move(inputs.notes);
}

}  // namespace

Report make_report(const std::string& folder, const ReportOptions& options, const Run& run) {
  require_folder(folder, "give the folder that pith select --out, pith round or pith experiment wrote");
  Report report;
  PageJson data = empty_page(name_of(folder));
  const bool is_experiment = folder_has(folder, "results.jsonl") && !folder_has(folder, "summary.json");
  if (folder_has(folder, rounds_name)) {
    data["rounds"] = rounds_section(folder);
    const Rounds rounds = read_rounds(folder);
    if (rounds.rounds.empty()) refuse_input(folder, "has no finished round; run pith round {} first", folder);
    const std::string last = (fs::path(folder) / rounds.rounds.back().folder).string();
    add_run(data, report, open_run(last, options, run), options, run);
  } else if (!is_experiment) {
    add_run(data, report, open_run(folder, options, run), options, run);
  }
  add_experiment(data, options.experiment.empty() && is_experiment ? folder : options.experiment);
  return finish(std::move(data), std::move(report));
}

Report make_report(ReportedRun reported, const ReportOptions& options, const Run& run) {
  Report report;
  PageJson data = empty_page(reported.name);
  add_run(data, report, std::move(reported), options, run);
  add_experiment(data, options.experiment);
  return finish(std::move(data), std::move(report));
}

}  // namespace pith
