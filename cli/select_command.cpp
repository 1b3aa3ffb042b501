#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <set>

#include "base/output_folder.h"
#include "commands.h"
#include "data/checksum.h"
#include "data/column.h"
#include "data/manifest.h"
#include "pipeline/compare.h"
#include "pipeline/given_options.h"
#include "pipeline/kept_selection.h"
#include "pipeline/option_table.h"
#include "pipeline/outputs.h"
#include "pipeline/prepare_input.h"
#include "pipeline/run_folder.h"
#include "pipeline/unused_options.h"
#include "pith/error.h"
#include "pith/pith.h"
#include "rank_settings.h"
#include "select_inputs.h"
#include "settings.h"
#include "tell_plan.h"
#include "terminal.h"

namespace pith::cli {
namespace {

constexpr const char* files_group = "Files";
constexpr const char* run_group = "Running";

}  // namespace

std::vector<Setting> select_settings() {
  std::vector<Setting> settings = {
      {"embeddings", "FILE",
       "one row an item: .npy .npz .safetensors .csv .tsv .fvecs (file.npz:name picks an array);\n"
       "'part-*.npy' in quotes: shards, in natural order (part-2 before part-10), read where they lie",
       files_group},
      {"probs", "FILE",
       "class probabilities, one row an item, in the same formats, shards too; once a model: bald and\n"
       "committee compare them, all others take their mean",
       files_group, false, true},
      {"logits", "", "the probabilities are logits: apply a softmax", files_group, true},
      {"out", "DIR", "folder for indices.npy, selection.csv, summary.json; written whole or not at all",
       files_group},
      {"graph", "FILE", "a graph saved by pith graph, instead of building one", files_group},
      {"ids", "FILE", "a name or path for each item: text, .csv or .jsonl; shards as with --embeddings",
       files_group},
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
  settings.insert(
      settings.end(),
      {{"preset", "default|paper", "start from these settings; paper is the literal method of the paper",
        run_group},
       {"plan", "", "only show what memory and time this will take, and stop", run_group, true},
       {"threads", "N",
        "threads to use (default: all cores); the result is the same for any number;\nat "
        "times one more works beside them, on the certificate while items are chosen, or on the summary",
        run_group},
       {"quiet", "", "print nothing but errors", run_group, true},
       {"json", "", "print the summary as JSON", run_group, true}});
  return settings;
}

SelectOptions read_options(const Settings& settings) {
  return settle_given_options(settings.given(), read_given_options(settings.given()));
}

namespace {

/// Reads and checks every file, and notes what it was.
struct Reading : Inputs {
  void open(const Settings& settings, const Run& run) {
    notes.threads = run.thread_count();
    static_cast<void>(settings.required("probs",
                                        "pass the class probabilities: --probs FILE; for a strategy that "
                                        "looks at embeddings alone, even ones will "
                                        "do: numpy.full((items, 2), 0.5)"));
    for (const std::string& path : settings.list("probs"))
      input.probabilities.members.push_back(read_matrix(path));
    input.probabilities.logits = settings.flag("logits");
    const Matrix& probs = input.probabilities.members.front();
    if (settings.has("embeddings")) {
      input.embeddings = read_matrix(settings.text("embeddings"));
      require_same_items(input.embeddings, input.probabilities);
    } else if (!settings.has("graph") && settings.text("measure") != "light") {
      throw Error(ErrorKind::bad_option,
                  "--embeddings is missing; pass --embeddings FILE (or a saved --graph FILE)");
    }
    if (settings.has("ids")) {
      ids = read_ids(settings.text("ids"), probs.rows());
      bytes_of_ids = bytes_held_by(ids);
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
    if (settings.has("graph")) input.graph = load_graph(settings.text("graph"), run);
  }

  [[nodiscard]] Plan plan_of(const SelectOptions& options, const std::vector<std::string>& strategies,
                             const Run& run) const {
    return strategies.empty() ? plan_selection(input, options, run, bytes_of_ids)
                              : plan_comparison(input, options, strategies, run, bytes_of_ids);
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
  settings.gather();
  require_no_rank_settings(settings);
  const SelectOptions options = read_options(settings);
  const bool json = settings.flag("json");
  const std::string out = json || settings.flag("plan")
                              ? settings.text("out")
                              : settings.required("out", "say where to put the results: --out DIR");
  if (!out.empty()) OutputFolder probe(out);  // an unwritable place is found out before the work, not after

  ProgressLine line(settings.flag("quiet"));
  const Run run = make_run(settings.threads(), line);
  Inputs reading = read_inputs(settings, options, run);
  if (settings.flag("plan")) return show_plan(reading.plan, options.graph.memory_bytes, settings);
  const Selection selection = select_from(reading, options, run);
  reading.notes.peak_rss_bytes = peak_rss_bytes();
  if (!out.empty()) write_selection(out, selection, reading.ids, reading.notes, run);
  line.clear();
  print_result(settings, selection, reading.notes, out);
}

}  // namespace

void print_result(const Settings& settings, const Selection& selection, const RunNotes& notes,
                  const std::string& out) {
  if (settings.flag("json")) {
    fmt::print("{}", summary_json(selection, notes));
  } else if (!settings.flag("quiet")) {
    fmt::print("{}Wrote {}/ indices.npy, selection.csv, summary.json\n", summary_text(selection, notes),
               std::string_view(out).substr(0, out.find_last_not_of('/') + 1));
    if (folder_has(out, "report.html"))
      fmt::print("  note: report.html there is of an earlier run; pith report {} makes it anew\n", out);
  }
}

Inputs open_inputs(const Settings& settings, const Run& run) {
  Reading reading;
  reading.open(settings, run);
  return reading;
}

void look_through(Inputs& inputs, const Settings& settings, const SelectOptions& options,
                  InputReader& reader) {
  const std::string graph = settings.text("graph");
  inputs.notes.unused = find_unused(settings.given(), options);
  prepare_input(inputs.input, options, graph, inputs.notes.inputs, reader);
  if (settings.has("graph")) inputs.notes.inputs.push_back({"graph", graph, "", checksum_of_file(graph)});
  inputs.notes.seconds.emplace_back(
      "read", std::chrono::duration<double>(std::chrono::steady_clock::now() - inputs.began).count());
}

Inputs read_inputs(const Settings& settings, const SelectOptions& options, const Run& run,
                   const std::vector<std::string>& strategies) {
  Reading reading;
  reading.open(settings, run);
  reading.plan = reading.plan_of(options, strategies, run);
  if (settings.flag("plan")) return reading;
  tell_plan(reading.plan, options.graph.memory_bytes, settings);
  InputReader reader(run);
  look_through(reading, settings, options, reader);
  return reading;
}

Selection select_from(const Inputs& inputs, const SelectOptions& options, const Run& run) {
  return std::move(select_and_keep(inputs.input, options, {.besides = inputs.bytes_of_ids}, run)->selection);
}

std::function<void()> add_select(CLI::App& app) {
  CLI::App* command = app.add_subcommand("select", "Choose a subset from embeddings and class probabilities");
  command->footer(
      "Examples:\n"
      "  pith select --embeddings e.npy --probs p.npy --budget 10% --out chosen\n"
      "  pith select --embeddings e.npy --probs logits.npy --logits --budget 5000 --strategy margin "
      "--balance class --out m\n"
      "  pith select --graph g.pith --probs p.npy --budget 5000 --labelled seed.csv --out next\n"
      "  pith select --embeddings 'part-*.npy' --probs 'probs-*.npy' --budget 1% --memory 4G --plan\n"
      "  mpirun -n 8 pith select --embeddings e.npy --probs p.npy --budget 1% --out chosen   "
      "(docs/ranks.md)\n"
      "Exit codes: 0 done, 2 bad option, 3 bad input, 4 input/output, 5 infeasible (--shortfall error), 130 "
      "interrupted");
  auto settings = std::make_shared<Settings>();
  std::vector<Setting> known = select_settings();
  const std::vector<Setting> with_ranks = rank_settings();
  known.insert(known.end(), with_ranks.begin(), with_ranks.end());
  settings->attach(*command, known);
  return [settings] { run_select(*settings); };
}

}  // namespace pith::cli
