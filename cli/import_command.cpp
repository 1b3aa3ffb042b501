#include <fmt/format.h>

#include <memory>

#include "base/output_file.h"
#include "base/output_folder.h"
#include "base/thousands.h"
#include "commands.h"
#include "data/text.h"
#include "label_settings.h"
#include "pipeline/run_folder.h"
#include "pith/error.h"

namespace pith::cli {
namespace {

std::vector<Setting> all_settings() {
  std::vector<Setting> settings = {
      {.name = "file",
       .value_name = "FILE",
       .help =
           "finished labels: Label Studio's JSON or JSON-MIN, or a .csv or .tsv with index or id, and label",
       .group = "Files",
       .positional = true},
      {"out", "FILE", "the list that --labelled reads: .csv with the labels; .txt, the items alone", "Files"},
      {"run", "DIR", "the run whose picks were labelled: items are checked, and written by index", "Files"}};
  for (Setting& setting : label_settings("Names")) settings.push_back(std::move(setting));
  settings.push_back({"quiet", "", "print nothing but errors", "Running", true});
  return settings;
}

void run_import(Settings& settings) {
  settings.gather();
  const std::string path =
      settings.required("file", "name the finished labels: pith import FILE --out labelled.csv");
  const std::string out = settings.required("out", "say where to put the list: --out labelled.csv");
  const std::string extension = extension_of(out);
  if (extension != ".csv" && extension != ".txt")
    throw Error(ErrorKind::bad_option,
                fmt::format("--out: {} given; write a .csv (items and labels) or a .txt (items alone)", out));
  ImportOptions options = read_label_options(settings);
  std::optional<std::size_t> classes;
  if (settings.has("run")) {
    const RunFolder folder = read_run_folder(settings.text("run"));
    options.items = folder.items();
    options.class_count = folder.classes();
    classes = folder.classes();
    for (const PickRecord& pick : folder.picks) options.ids.emplace_back(pick.id, pick.item);
  }
  options.classes = read_class_names(settings, classes);
  require_writable_place(out);
  const Imported imported = import_labels(path, options);
  if (imported.labelled.empty())
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: nobody has labelled anything in it; label some, then export again", path));
  OutputFile file(out);
  file.write(extension == ".csv" ? labelled_csv(imported.labelled) : labelled_txt(imported.labelled));
  file.put_in_place();
  if (settings.flag("quiet")) return;
  fmt::print("Wrote {}: {} labelled items{}{}\n", out, with_commas(imported.labelled.size()),
             imported.without_label > 0
                 ? fmt::format("; {} without a label left out", with_commas(imported.without_label))
                 : "",
             imported.conflicting > 0
                 ? fmt::format("; {} with two labels left out", with_commas(imported.conflicting))
                 : "");
  fmt::print("Go on with: pith select --labelled {} ...\n", out);
}

}  // namespace

std::function<void()> add_import(CLI::App& app) {
  CLI::App* command = app.add_subcommand("import", "Read finished labels back, for the next selection");
  command->footer(
      "Examples:\n"
      "  pith import export.json --run chosen --class-names names.txt --out labelled.csv\n"
      "  pith import to-label.csv --out labelled.csv\n"
      "then pith select --labelled labelled.csv --embeddings e.npy --probs p.npy --budget 500 --out next");
  auto settings = std::make_shared<Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_import(*settings); };
}

}  // namespace pith::cli
