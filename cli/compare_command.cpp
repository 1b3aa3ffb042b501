#include <fmt/format.h>

#include <memory>

#include "base/output_file.h"
#include "base/output_folder.h"
#include "commands.h"
#include "pipeline/compare.h"
#include "pipeline/given_options.h"
#include "pipeline/unused_options.h"
#include "select_inputs.h"
#include "terminal.h"

namespace pith::cli {
namespace {

/// Those of select, with a list of strategies in place of one.
std::vector<Setting> all_settings() {
  std::vector<Setting> settings = select_settings();
  std::erase_if(settings, [](const Setting& setting) {
    return setting.name == "config" || setting.name == "plan" || setting.name == "strategy" ||
           setting.name == "measure";
  });
  for (Setting& setting : settings) {
    if (setting.name == "out") {
      setting.value_name = "FILE";
      setting.help = "also write the table as CSV, a row a strategy";
    }
    if (setting.name == "json") setting.help = "print everything, the picks included, as JSON";
  }
  settings.push_back({"strategies", "A,B,C", "the strategies to compare, as pith select --help lists them",
                      "What to choose", false, true});
  return settings;
}

std::string note_unused(const GivenTexts& given, const SelectOptions& options,
                        const std::vector<std::string>& strategies) {
  std::string out;
  for (const UnusedOption& option : find_unused_by_all(given, options, strategies))
    out += fmt::format("  note: --{} is used by none of these: {}\n", option.name, option.because);
  return out;
}

void run_compare(Settings& settings) {
  settings.gather();
  const std::vector<std::string> names = read_strategy_names(
      settings.required("strategies", "name some: --strategies submod-bal,margin,random"));
  const SelectOptions options = read_given_options(settings.given());
  if (settings.has("out")) require_writable_place(settings.text("out"));
  ProgressLine line(settings.flag("quiet"));
  const Run run = make_run(settings.threads(), line);
  const Inputs inputs = read_inputs(settings, options, run, names);
  const auto predictions = [&](UncertaintyKind kind) {
    if (kind == options.objective.uncertainty) return inputs.input.predictions;
    return read_predictions(inputs.input.probabilities, kind, run, options.balance.boundaries_per_item);
  };
  const Comparison comparison = compare(inputs.input, options, names, predictions, run, inputs.bytes_of_ids);
  if (settings.has("out")) {
    OutputFile file(settings.text("out"));
    file.write(comparison_csv(comparison));
    file.put_in_place();
  }
  line.clear();
  if (settings.flag("json"))
    fmt::print("{}", comparison_json(comparison));
  else if (!settings.flag("quiet"))
    fmt::print("{}{}", comparison_text(comparison), note_unused(settings.given(), options, names));
}

}  // namespace

std::function<void()> add_compare(CLI::App& app) {
  CLI::App* command = app.add_subcommand("compare", "Run several strategies on one graph, side by side");
  command->footer(
      "Example:\n"
      "  pith compare --embeddings e.npy --probs p.npy --budget 10% --strategies submod-bal,margin,random\n"
      "Caps are each strategy's own unless --balance says otherwise.\n"
      "f and uncertainty are measured alike for all: by --term or --lambda, and --uncertainty.");
  auto settings = std::make_shared<Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_compare(*settings); };
}

}  // namespace pith::cli
