#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/output_file.h"
#include "base/thousands.h"
#include "commands/commands.h"
#include "commands/experiment_runner.h"
#include "experiment/verdict.h"
#include "pipeline/option_table.h"
#include "pith/error.h"
#include "terminal.h"

namespace pith::train {
namespace {

constexpr const char* default_strategies = "submod-bal,submod,margin,k-center,stratified,random";

std::vector<cli::Setting> all_settings() {
  std::vector<cli::Setting> settings = data_settings();
  settings.insert(
      settings.end(),
      {{"strategies", "LIST", fmt::format("strategies to compare [{}]", default_strategies),
        "What to compare"},
       {"variant", "NAME=STRATEGY OPTIONS",
        "one more, with options of pith select (and --temperature T for the seed model's probabilities),\nas "
        "in "
        "'soft=submod-bal --gamma 0.3'; may be repeated; in TOML: [variant.soft] gamma = 0.3",
        "What to compare", false, true},
       {"budgets", "LIST", "sizes of the subsets [10%,30%,50%]", "What to compare"},
       {"trials", "N", "how often each is repeated, with another seed [3]", "What to compare"},
       {"seed", "N", "of the first trial [0]", "What to compare"},
       {"seed-fraction", "N|P%", "random items the seed model is trained on [10%]", "What to compare"},
       {"seed-epochs", "N",
        "passes of the seed model over them [as --epochs]; give it enough where --epochs is small",
        "What to compare"},
       {"no-all-data", "", "do not train on all data for comparison", "What to compare", true},
       {"out", "DIR", "results folder; run again, it goes on where it was", "Files"},
       {"table", "", "print the table and the verdict of what is finished, and do no more", "Files", true},
       {"csv", "", "print every finished cell as CSV, and do no more", "Files", true},
       {"config", "FILE", "options from a TOML file; the command line wins", "Files"}});
  for (const auto& more : {training_settings(), running_settings()})
    settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

std::vector<std::string> split_list(const std::string& text, const std::string& option) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    out.push_back(text.substr(begin, comma - begin));
    if (out.back().empty())
      throw Error(ErrorKind::bad_option,
                  fmt::format("--{}: '{}' given; write words with single commas between", option, text));
    if (std::count(out.begin(), out.end(), out.back()) > 1)
      throw Error(ErrorKind::bad_option, fmt::format("--{}: '{}' is listed twice", option, out.back()));
    begin = comma + 1;
  }
  return out;
}

std::vector<Variant> read_variants(const cli::Settings& settings) {
  const std::vector<std::string> extra = settings.list("variant");
  std::vector<Variant> variants;
  // Whoever lists variants alone wants them beside the controls, not beside everything.
  const std::string strategies =
      settings.text("strategies", extra.empty() ? default_strategies : "stratified,random");
  std::vector<std::string> texts = split_list(strategies, "strategies");
  texts.insert(texts.end(), extra.begin(), extra.end());
  for (const std::string& text : texts) {
    variants.push_back(parse_variant(text));
    for (std::size_t at = 0; at + 1 < variants.size(); ++at)
      if (variants[at].name == variants.back().name)
        throw Error(ErrorKind::bad_option,
                    fmt::format("--variant: two are named '{}'; give each its own name", variants[at].name));
  }
  return variants;
}

ExperimentPlan read_plan(const cli::Settings& settings, const Pool& pool) {
  ExperimentPlan plan;
  plan.variants = read_variants(settings);
  for (const Variant& variant : plan.variants) check_cap_files(variant, pool.classes);
  plan.budgets = split_list(settings.text("budgets", "10%,30%,50%"), "budgets");
  plan.trials = settings.whole("trials", plan.trials);
  if (plan.trials < 1 || plan.trials > 10000)
    throw Error(ErrorKind::bad_option,
                fmt::format("--trials: {} given; write a number from 1 to 10000", plan.trials));
  plan.seed = settings.whole("seed", 0);
  plan.seed_fraction = settings.text("seed-fraction", plan.seed_fraction);
  static_cast<void>(
      count_of(parse_budget("seed-fraction", plan.seed_fraction), pool.items.size(), "seed-fraction"));
  plan.all_data = !settings.flag("no-all-data");
  plan.training = read_training(settings, pool);
  plan.seed_training = plan.training;
  if (settings.has("seed-epochs")) {
    plan.seed_training.epochs = parse_number("seed-epochs", settings.text("seed-epochs"));
    plan.seed_training.least_steps = 0;  // as with --epochs: who says how many means it
    if (!plan.seed_training.check().empty())
      throw Error(ErrorKind::bad_option,
                  fmt::format("--seed-epochs: {} given; it must lie above 0 and be at most 1000000",
                              settings.text("seed-epochs")));
  }
  plan.out = settings.required("out", "say where to keep the results: --out DIR");
  static_cast<void>(plan_cells(plan, pool.items.size()));
  return plan;
}

void write_file(const std::string& folder, const std::string& name, const std::string& text) {
  OutputFile file((std::filesystem::path(folder) / name).string());
  file.write(text);
  file.put_in_place();
}

std::string report_text(const std::vector<CellResult>& results) {
  const Verdict verdict = judge(results);
  return table_text(verdict) + "\n" + verdict_text(verdict);
}

void run_cells(const cli::Settings& settings, const std::string& out) {
  const Pool pool = open_pool(settings);
  const ExperimentPlan plan = read_plan(settings, pool);
  const std::string device = prepare_device(settings);
  ResultsStore store(out, setting_of(plan, pool));
  const bool quiet = settings.flag("quiet");
  const std::size_t all = plan_cells(plan, pool.items.size()).size();
  cli::ProgressLine line(quiet);
  const Run run = cli::make_run(settings.threads(), line);
  const auto report = [&](const CellResult& result, std::size_t done, std::size_t cells,
                          double seconds_left) {
    if (quiet) return;
    line.clear();
    fmt::print("[{}/{}] {} {} trial {}: {:.2f}% with {} items in {:.1f} s{}{}\n", done, cells,
               result.key.variant, result.key.budget, result.key.trial, 100 * result.accuracy,
               with_commas(result.items), result.select_seconds + result.train_seconds,
               result.went_astray() ? ", went astray" : "",
               done < cells ? fmt::format(", about {} left", cli::duration(seconds_left)) : "");
    std::fflush(stdout);
  };
  if (!quiet)
    fmt::print("{}: {} items in {} classes, tested with {} {} items; {} on every subset, {} cells\n",
               pool.name, with_commas(pool.items.size()), pool.classes, with_commas(pool.test.size()),
               pool.test_name, plan.training.model, all);
  try {
    run_experiment(plan, pool, store, device, report, run);
  } catch (const Error& stopped) {
    if (stopped.kind() != ErrorKind::interrupted) throw;
    throw Error(ErrorKind::interrupted,
                fmt::format("interrupted: {} finished cells are kept in {}; run the same command to "
                            "go on",
                            store.results().size(), out));
  }
  line.clear();
  write_file(out, "results.csv", results_csv(store.results()));
  write_file(out, "verdict.txt", report_text(store.results()));
  if (!quiet) fmt::print("\n{}", report_text(store.results()));
}

void run_command(cli::Settings& settings) {
  settings.gather("experiment");
  const std::string out = settings.required("out", "say where to keep the results: --out DIR");
  if (settings.flag("csv"))
    fmt::print("{}", results_csv(read_results(out)));
  else if (settings.flag("table"))
    fmt::print("{}", report_text(read_results(out)));
  else
    run_cells(settings, out);
}

}  // namespace

std::function<void()> add_experiment(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "experiment", "Find out whether selecting pays on your data: train on subsets, compare, judge");
  command->footer(
      "Examples:\n"
      "  pith experiment --data fashion-mnist --long-tail 100 --budgets 10%,30% --trials 3 --out results\n"
      "  pith experiment --data fashion-mnist --validate 0.1 --variant 'soft=submod-bal --gamma 0.3' --out "
      "sweep\n"
      "  pith experiment --out results --table\n"
      "Exit codes: 0 done, 2 bad option, 3 bad input, 4 input/output, 130 interrupted");
  auto settings = std::make_shared<cli::Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_command(*settings); };
}

}  // namespace pith::train
