#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

#include "base/output_folder.h"
#include "commands.h"
#include "data/checks.h"
#include "data/checksum.h"
#include "data/column.h"
#include "data/manifest.h"
#include "pipeline/option_table.h"
#include "pipeline/outputs.h"
#include "pith/error.h"
#include "pith/pith.h"
#include "select_inputs.h"
#include "settings.h"
#include "terminal.h"

namespace pith::cli {
namespace {

constexpr const char* files_group = "Files";
constexpr const char* run_group = "Running";

}  // namespace

std::vector<Setting> select_settings() {
  std::vector<Setting> settings = {
      {"embeddings", "FILE",
       "one row an item: .npy .npz .safetensors .csv .tsv .fvecs (file.npz:name picks an array)",
       files_group},
      {"probs", "FILE",
       "class probabilities, one row an item, in the same formats; once a model: bald and committee compare "
       "them,\nall others take their mean",
       files_group, false, true},
      {"logits", "", "the probabilities are logits: apply a softmax", files_group, true},
      {"out", "DIR", "folder for indices.npy, selection.csv, summary.json; written whole or not at all",
       files_group},
      {"graph", "FILE", "a graph saved by pith graph, instead of building one", files_group},
      {"ids", "FILE", "a name or path for each item: text, .csv or .jsonl", files_group},
      {"labelled", "FILE",
       "items that have labels already: index or id, and optionally the label, one a line", files_group},
      {"exclude", "FILE", "items never to choose: index or id, one a line", files_group},
      {"scores", "FILE[:COLUMN]",
       "a number from 0 up for each item, for --term scores=WEIGHT: .npy, or a column of a .csv",
       files_group},
      {"costs", "FILE[:COLUMN]", "what each item costs, above 0, for --budget-cost; as --scores",
       files_group},
      {"config", "FILE", "options from a TOML file; the command line wins", files_group},
  };
  for (const OptionSpec& spec : select_option_specs())
    settings.push_back(
        {spec.name, spec.value_name, help_with_default(spec), spec.group, false, spec.repeatable});
  settings.insert(settings.end(),
                  {{"preset", "default|paper",
                    "start from these settings; paper is the literal method of the paper", run_group},
                   {"threads", "N",
                    "threads to use (default: all cores); the result is the same for any number", run_group},
                   {"quiet", "", "print nothing but errors", run_group, true},
                   {"json", "", "print the summary as JSON", run_group, true}});
  return settings;
}

SelectOptions read_given_options(const Settings& settings) {
  const std::string preset = settings.text("preset", "default");
  if (preset != "default" && preset != "paper")
    throw Error(ErrorKind::bad_option, fmt::format("--preset: '{}' given; choose default or paper", preset));
  SelectOptions options = preset == "paper" ? paper_preset() : SelectOptions{};
  for (const OptionSpec& spec : select_option_specs())
    if (settings.has(spec.name)) spec.set(options, settings.text(spec.name));
  if (settings.has("budget") && settings.has("budget-cost"))
    throw Error(ErrorKind::bad_option, "--budget-cost: give a budget of items or one of costs, not both");
  if (settings.has("budget-cost") != settings.has("costs"))
    throw Error(ErrorKind::bad_option, "--costs and --budget-cost belong together; give both or neither");
  if (!settings.has("budget") && !settings.has("budget-cost"))
    throw Error(ErrorKind::bad_option,
                "--budget is missing; say how many to choose: --budget 5000 or --budget 10%");
  if (settings.has("graph"))
    for (const OptionSpec& spec : select_option_specs())
      if (spec.group == "Graph" && settings.has(spec.name) &&
          (spec.name != "memory" || options.objective.facility != Facility::dense))
        throw Error(ErrorKind::bad_option,
                    fmt::format("--{}: a saved graph {}; leave it out, or leave out --graph", spec.name,
                                spec.name == "memory" ? "is not built again" : "has its own"));
  if (settings.has("term") && settings.has("lambda"))
    throw Error(ErrorKind::bad_option, "--term: gives the weights of all terms; leave out --lambda");
  const auto& terms = options.objective.terms;
  if (settings.has("scores") &&
      std::none_of(terms.begin(), terms.end(), [](const TermWeight& term) { return term.name == "scores"; }))
    throw Error(ErrorKind::bad_option, "--scores: no term uses them; add --term scores=WEIGHT");
  return options;
}

SelectOptions read_options(const Settings& settings) {
  const SelectOptions options = effective_options(read_given_options(settings));
  const BalanceKind balance = *options.balance.balance;
  // Who says --balance knows which caps hold; who does not would never learn that a cap was ignored.
  const auto refuse_idle = [&](const char* cap, BalanceKind own, const char* name) {
    if (settings.has(cap) && !settings.has("balance") && balance != own && balance != BalanceKind::both)
      throw Error(
          ErrorKind::bad_option,
          fmt::format(
              "--{}: strategy {} runs without {} caps here; add --balance {} or both, or leave it out", cap,
              options.strategy, name, name));
  };
  refuse_idle("class-cap", BalanceKind::class_only, "class");
  refuse_idle("boundary-cap", BalanceKind::boundary_only, "boundary");
  return options;
}

namespace {

std::string shape_of(const Matrix& matrix) {
  return fmt::format("{} x {} {}", matrix.rows(), matrix.cols(), name_of(matrix.view.scalar));
}

/// Reads and checks every file, and notes what it was.
struct Reading : Inputs {
  void read(const Settings& settings, const SelectOptions& options, const Run& run) {
    const auto started = std::chrono::steady_clock::now();
    static_cast<void>(settings.required("probs", "pass the class probabilities: --probs FILE"));
    for (const std::string& path : settings.list("probs"))
      input.probabilities.members.push_back(read_matrix(path));
    input.probabilities.logits = settings.flag("logits");
    const Matrix& probs = input.probabilities.members.front();
    if (settings.has("embeddings")) {
      input.embeddings = read_matrix(settings.text("embeddings"));
      if (input.embeddings.rows() != probs.rows())
        throw Error(
            ErrorKind::bad_input,
            fmt::format("{} has {} rows but {} has {}; both must describe the same items in the same order",
                        input.embeddings.source, input.embeddings.rows(), probs.source, probs.rows()));
    } else if (!settings.has("graph")) {
      throw Error(ErrorKind::bad_option,
                  "--embeddings is missing; pass --embeddings FILE (or a saved --graph FILE)");
    }
    if (settings.has("ids")) {
      ids = read_ids(settings.text("ids"), probs.rows());
      note_file("ids", settings.text("ids"));
    }
    if (settings.has("labelled")) {
      ItemList list = read_item_list(settings.text("labelled"), probs.rows(), ids);
      input.labelled = std::move(list.items);
      input.labels = std::move(list.labels);
      note_file("labelled", settings.text("labelled"));
    }
    if (settings.has("exclude")) {
      input.excluded = read_item_list(settings.text("exclude"), probs.rows(), ids).items;
      note_file("exclude", settings.text("exclude"));
    }
    if (settings.has("scores")) {
      input.scores = read_column(settings.text("scores"), probs.rows(), ColumnRange::not_negative);
      note_file("scores", split_column(settings.text("scores")).first);
    }
    if (settings.has("costs")) {
      input.costs = read_column(settings.text("costs"), probs.rows(), ColumnRange::positive);
      note_file("costs", split_column(settings.text("costs")).first);
    }
    check_lists(settings, probs);
    if (input.embeddings.rows() != 0) {
      static_cast<void>(check_embeddings(input.embeddings, run));
      notes.inputs.push_back({"embeddings", input.embeddings.source, shape_of(input.embeddings),
                              fingerprint_of(input.embeddings.view, run)});
    }
    input.predictions = read_predictions(input.probabilities, options.objective.uncertainty, run,
                                         options.balance.boundaries_per_item);
    for (std::size_t at = 0; at < input.probabilities.members.size(); ++at) {
      const Matrix& member = input.probabilities.members[at];
      notes.inputs.push_back({at == 0 ? "probs" : fmt::format("probs-{}", at + 1), member.source,
                              shape_of(member), fingerprint_of(member.view, run),
                              input.probabilities.logits});
    }
    if (settings.has("graph")) {
      const std::string path = settings.text("graph");
      input.graph = load_graph(path, run);
      if (input.embeddings.rows() != 0) require_same_embeddings(*input.graph, input.embeddings, path, run);
      if (input.graph->size() != probs.rows())
        throw Error(ErrorKind::bad_input,
                    fmt::format("{} has {} items but {} has {} rows; build the graph of the same items with "
                                "pith graph",
                                path, input.graph->size(), probs.source, probs.rows()));
      note_file("graph", path);
    }
    notes.threads = run.thread_count();
    notes.seconds.emplace_back(
        "read", std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
  }

 private:
  /// What the library checks too, but cannot name the file of.
  void check_lists(const Settings& settings, const Matrix& probs) const {
    const std::string labelled = settings.text("labelled");
    const std::set<Item> excluded(input.excluded.begin(), input.excluded.end());
    for (std::size_t at = 0; at < input.labelled.size(); ++at) {
      const Item item = input.labelled[at];
      const std::string name = ids.empty() ? std::to_string(item) : "'" + ids[item] + "'";
      if (excluded.contains(item))
        throw Error(ErrorKind::bad_input,
                    fmt::format("{} and {}: item {} is both labelled and excluded; take "
                                "it out of one of them",
                                labelled, settings.text("exclude"), name));
      if (input.labels[at] && *input.labels[at] >= probs.cols())
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: item {} has class {}, but {} has {} columns; use 0 to {}", labelled,
                                name, *input.labels[at], probs.source, probs.cols(), probs.cols() - 1));
    }
  }
  void note_file(const char* role, const std::string& path) {
    notes.inputs.push_back({role, path, "", checksum_of_file(path)});
  }
};

void run_select(Settings& settings) {
  settings.merge_config();
  const SelectOptions options = read_options(settings);
  const bool json = settings.flag("json");
  const std::string out =
      json ? settings.text("out") : settings.required("out", "say where to put the results: --out DIR");
  if (!out.empty()) OutputFolder probe(out);  // an unwritable place is found out before the work, not after

  ProgressLine line(settings.flag("quiet"));
  const Run run = make_run(settings.threads(), line);
  Inputs reading = read_inputs(settings, options, run);
  const Selection selection = select(reading.input, options, run);
  reading.notes.peak_rss_bytes = peak_rss_bytes();
  if (!out.empty()) write_selection(out, selection, reading.ids, reading.notes, run);
  line.clear();

  if (json) {
    fmt::print("{}", summary_json(selection, reading.notes));
  } else if (!settings.flag("quiet")) {
    fmt::print("{}Wrote {}/ indices.npy, selection.csv, summary.json\n", summary_text(selection),
               std::string_view(out).substr(0, out.find_last_not_of('/') + 1));
  }
}

}  // namespace

Inputs read_inputs(const Settings& settings, const SelectOptions& options, const Run& run) {
  Reading reading;
  reading.read(settings, options, run);
  return reading;
}

std::function<void()> add_select(CLI::App& app) {
  CLI::App* command = app.add_subcommand("select", "Choose a subset from embeddings and class probabilities");
  command->footer(
      "Examples:\n"
      "  pith select --embeddings e.npy --probs p.npy --budget 10% --out chosen\n"
      "  pith select --embeddings e.npy --probs logits.npy --logits --budget 5000 --strategy margin "
      "--balance class --out m\n"
      "  pith select --graph g.pith --probs p.npy --budget 5000 --labelled seed.csv --out next\n"
      "Exit codes: 0 done, 2 bad option, 3 bad input, 4 input/output, 5 infeasible (--shortfall error), 130 "
      "interrupted");
  auto settings = std::make_shared<Settings>();
  settings->attach(*command, select_settings());
  return [settings] { run_select(*settings); };
}

}  // namespace pith::cli
