#include <fmt/format.h>

#include <memory>

#include "base/output_file.h"
#include "base/thousands.h"
#include "commands.h"
#include "handover/export.h"
#include "label_settings.h"
#include "pipeline/run_inputs.h"
#include "terminal.h"

namespace pith::cli {
namespace {

std::vector<Setting> all_settings() {
  std::string names;
  std::string help = "the format:";
  for (const ExportFormat& format : export_formats()) {
    names += (names.empty() ? "" : "|");
    names += format.name;
    help += fmt::format("\n{}: {}", format.name, format.summary);
  }
  return {{.name = "folder",
           .value_name = "DIR",
           .help = "what pith select --out wrote",
           .group = "Files",
           .positional = true},
          {"to", names, help, "Files"},
          {"out", "FILE", "where to write (default: standard output)", "Files"},
          {"probs", "FILE",
           "where the class probabilities are now, if not where the run found them; once a model", "Files",
           false, true},
          {"class-names", "FILE",
           "a name for each class, one a line, in the order of the probabilities' columns", "Names"},
          {"prefix", "TEXT", "put before each id: a folder or an address", "Names"},
          {"data-key", "NAME", "Label Studio: what the task's data calls the item (image)", "Names"},
          {"from-name", "NAME", "Label Studio: name of the Choices control (choice)", "Names"},
          {"to-name", "NAME", "Label Studio: name of the object that is labelled (image)", "Names"},
          {"threads", "N", "threads to use (default: all cores)", "Running"},
          {"quiet", "", "print nothing but errors", "Running", true}};
}

void run_export(Settings& settings) {
  settings.gather();
  const std::string path = settings.required("folder", "name the folder of a run: pith export DIR --to csv");
  const ExportFormat& format =
      find_export_format(settings.required("to", "say for whom: --to label-studio, csv, ..."));
  ProgressLine line(settings.flag("quiet"));
  const Run run = make_run(settings.threads(), line);
  const RunFolder folder = read_run_folder(path);
  ExportNames names;
  names.classes = read_class_names(settings, folder.classes());
  names.prefix = settings.text("prefix");
  names.data_key = settings.text("data-key", names.data_key);
  names.from_name = settings.text("from-name", names.from_name);
  names.to_name = settings.text("to-name", names.to_name);
  const RunInputs inputs =
      find_run_inputs(folder, {.probs = settings.list("probs")}, {.embeddings = false, .graph = false}, run);
  const std::string text = export_run(folder, inputs.probabilities, format, names);
  const bool scored = !inputs.probabilities.empty();
  line.clear();
  const bool tells = !scored && !settings.flag("quiet");
  constexpr auto note =
      "  note: probs are not where the run found them, or have changed; say --probs FILE for the scores\n";
  if (!settings.has("out")) {
    fmt::print("{}", text);
    if (tells) tell(note);
    return;
  }
  OutputFile file(settings.text("out"));
  file.write(text);
  file.put_in_place();
  if (settings.flag("quiet")) return;
  fmt::print("Wrote {}: {} picks for {}, first in pick order{}\n", settings.text("out"),
             with_commas(folder.picks.size()), format.name, scored ? "" : ", without scores");
  if (tells) fmt::print("{}", note);
}

}  // namespace

std::function<void()> add_export(CLI::App& app) {
  CLI::App* command = app.add_subcommand("export", "Hand the picks of a run over to a labelling tool");
  command->footer(
      "Examples:\n"
      "  pith export chosen --to label-studio --class-names names.txt --prefix /data/local-files/?d= --out "
      "tasks.json\n"
      "  pith export chosen --to csv --out to-label.csv\n"
      "  pith export chosen --to txt | head -100\n"
      "Predicted classes go along as pre-annotations with their scores, ranks as priority. pith import reads "
      "the labels back.");
  auto settings = std::make_shared<Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_export(*settings); };
}

}  // namespace pith::cli
