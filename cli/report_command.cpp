#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/output_file.h"
#include "base/output_folder.h"
#include "base/thousands.h"
#include "commands.h"
#include "report/report.h"
#include "run_folder_settings.h"
#include "settings.h"
#include "terminal.h"

namespace pith::cli {
namespace {

std::vector<Setting> all_settings() {
  std::vector<Setting> settings =
      run_folder_settings("pith select --out, pith round or pith experiment", "picks");
  settings.insert(
      settings.end(),
      {{"out", "FILE", "the page to write (DIR/report.html)", "Files"},
       {"experiment", "DIR",
        "add the results of pith experiment: accuracy against subset size, and the verdict", "Files"},
       {"map", "umap|pca", "umap: PCA and a map of the neighbours (the default); pca: PCA alone, at once",
        "Map"},
       {"points", "N", "most items on the map, picks included; beyond it, a sample (100000)", "Map"},
       {"seed", "N", "of the map of the neighbours (0)", "Map"},
       {"threads", "N", "threads to use (default: all cores); the page is the same for any number",
        "Running"},
       {"quiet", "", "print nothing but errors", "Running", true}});
  return settings;
}

ReportOptions read_options(const Settings& settings) {
  ReportOptions options;
  options.inputs = read_input_paths(settings);
  options.class_names = settings.text("class-names");
  options.images = settings.text("images");
  options.experiment = settings.text("experiment");
  GivenTexts of_map;
  for (const char* name : {"map", "points", "seed"})
    if (settings.has(name)) of_map[name] = settings.text(name);
  options.map = read_map_options(of_map);
  return options;
}

void run_report(Settings& settings) {
  settings.gather();
  const std::string folder = settings.required("folder", "name the folder of a run: pith report DIR");
  const ReportOptions options = read_options(settings);
  const std::string out = settings.text("out", (std::filesystem::path(folder) / "report.html").string());
  ProgressLine line(settings.flag("quiet"));
  require_folder(folder, "give the folder that pith select --out, pith round or pith experiment wrote");
  require_writable_place(out);
  const Report report = make_report(folder, options, make_run(settings.threads(), line));
  OutputFile file(out);
  file.write(report.html);
  file.put_in_place();
  line.clear();
  if (settings.flag("quiet")) return;
  fmt::print("Wrote {}: {:.1f} MB{}, opens from disk, needs no network\n", out,
             static_cast<double>(report.html.size()) / 1e6,
             report.points > 0 ? fmt::format(", {} points", with_commas(report.points)) : ", without a map");
  for (const std::string& note : report.notes) fmt::print("  note: {}\n", note);
}

}  // namespace

std::function<void()> add_report(CLI::App& app) {
  CLI::App* command = app.add_subcommand("report", "Write one page to look at a run and send around");
  command->footer(
      "Examples:\n"
      "  pith report chosen\n"
      "  pith report chosen --class-names names.txt --out chosen.html\n"
      "  pith report chosen --experiment results\n"
      "The page is one file without any network access. Maps are kept in DIR/map.pith for the next time.");
  auto settings = std::make_shared<Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_report(*settings); };
}

}  // namespace pith::cli
