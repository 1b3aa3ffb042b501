#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/output_folder.h"
#include "base/seconds_since.h"
#include "base/thousands.h"
#include "commands.h"
#include "data/checks.h"
#include "data/join_rows.h"
#include "graph/build_graph.h"
#include "graph/graph_stats.h"
#include "graph_report.h"
#include "pipeline/describe_graph.h"
#include "pipeline/given_options.h"
#include "pipeline/option_table.h"
#include "pipeline/plan_graph.h"
#include "pith/error.h"
#include "pith/pith.h"
#include "settings.h"
#include "tell_plan.h"
#include "terminal.h"

namespace pith::cli {
namespace {

std::vector<Setting> all_settings() {
  std::vector<Setting> settings = {
      {"embeddings", "FILE",
       "one row an item: .npy .npz .safetensors .csv .tsv .fvecs; 'part-*.npy' in quotes: shards", "Files"},
      {"out", "FILE", "where to save the graph, e.g. g.pith", "Files"},
      {"append", "FILE",
       "rows to add to --graph, whose own rows are --embeddings; same result as from scratch", "Files"},
      {"graph", "FILE", "with --append: the saved exact graph to add to", "Files"},
  };
  for (const OptionSpec& spec : select_option_specs())
    if (spec.group == "Graph")
      settings.push_back({spec.name, spec.value_name, help_with_default(spec), spec.group});
  settings.insert(
      settings.end(),
      {{"stats", "", "print degrees, components and edge lengths", "Reporting", true},
       {"recall-sample", "N", "measure the recall on N random items against brute force", "Reporting"},
       {"seed", "N", "for --recall-sample", "Reporting"},
       {"plan", "", "only show what memory and time this will take, and stop", "Running", true},
       {"threads", "N", "threads to use (default: all cores); the graph is the same for any number",
        "Running"},
       {"quiet", "", "print nothing but errors", "Running", true},
       {"json", "", "print what is known of the graph as JSON", "Running", true}});
  return settings;
}

GraphOptions read_options(const Settings& settings) {
  const GraphOptions options = read_graph_options(settings.given());
  std::vector<std::string> given;
  for (const OptionSpec& spec : select_option_specs())
    // An exact graph meets any recall.
    if (spec.group == "Graph" && settings.has(spec.name) && spec.name != "recall") given.push_back(spec.name);
  if (settings.has("append") && !given.empty())
    throw Error(ErrorKind::bad_option,
                fmt::format("--{}: not with --append, which goes by the graph it adds to; leave {} out",
                            fmt::join(given, ", --"), given.size() == 1 ? "it" : "them"));
  if (settings.has("append") && !settings.has("graph"))
    throw Error(ErrorKind::bad_option,
                "--graph is missing; say which saved graph to add to: --graph old.pith");
  if (settings.has("graph") && !settings.has("append"))
    throw Error(
        ErrorKind::bad_option,
        "--graph: a graph to add to is of use with --append only; pass --append FILE or leave it out");
  return options;
}

/// The graph asked for, and the embeddings it is of where they are looked at again.
struct Made {
  Graph graph;
  Matrix embeddings;
  std::size_t appended = 0;
  double seconds = 0;  ///< of building, without reading
};

Made make_graph(const Settings& settings, const GraphOptions& options, const std::string& out,
                bool look_again, const Run& run) {
  Matrix embeddings = read_matrix(settings.required("embeddings", "pass --embeddings FILE"));
  if (!settings.has("append")) {
    require_writable_place(out);
    const Plan plan = plan_graph(embeddings, options, run);
    tell_plan(plan, options.memory_bytes, settings);
    static_cast<void>(check_embeddings(embeddings, run));
    const auto started = std::chrono::steady_clock::now();
    Graph graph = build_checked_graph(embeddings, as_planned(options, plan), run);
    return {std::move(graph), std::move(embeddings), 0, seconds_since(started)};
  }
  const Matrix more = read_matrix(settings.text("append"));
  const std::string path = settings.text("graph");
  const Graph old = load_graph(path, run);
  require_writable_place(out);
  // The fingerprint says that the old rows are those that were checked when the old graph was built.
  static_cast<void>(check_embeddings(more, run));
  const auto started = std::chrono::steady_clock::now();
  Made made{append_graph(old, embeddings, more, run, path), {}, more.rows(), 0};
  made.seconds = seconds_since(started);
  if (look_again) made.embeddings = join_rows(std::array{embeddings, more}, embeddings.source);
  return made;
}

nlohmann::ordered_json report_json(const Made& made, const std::string& out, const GraphStats& stats) {
  const Graph& graph = made.graph;
  nlohmann::ordered_json json = {{"path", out},
                                 {"items", graph.size()},
                                 {"appended", made.appended},
                                 {"edges", graph.edge_count()},
                                 {"neighbors", graph.info().neighbors}};
  json.update(search_json(graph.info()));
  json["seconds"] = made.seconds;
  json["fingerprint"] = graph.info().fingerprint;
  json["stats"] = stats_json(stats);
  return json;
}

void plan_only(const Settings& settings, const GraphOptions& options) {
  if (settings.has("append"))
    throw Error(ErrorKind::bad_option, "--plan: there is none of --append; leave one of them out");
  const Matrix embeddings = read_matrix(settings.required("embeddings", "pass --embeddings FILE"));
  Run run;
  run.threads = settings.threads();
  show_plan(plan_graph(embeddings, options, run), options.memory_bytes, settings);
}

void run_graph(Settings& settings) {
  settings.gather();
  const GraphOptions options = read_options(settings);
  if (settings.flag("plan")) return plan_only(settings, options);
  const std::string out = settings.required("out", "say where to save the graph: --out g.pith");
  const std::uint64_t sample = settings.whole("recall-sample", 0, 1);
  const std::uint64_t seed = settings.whole("seed", 0);

  ProgressLine line(settings.flag("quiet"));
  const Run run = make_run(settings.threads(), line);
  const Made made = make_graph(settings, options, out, sample > 0, run);
  const Graph& graph = made.graph;
  save_graph(graph, out);

  std::optional<double> measured_recall;
  const bool want_stats = settings.flag("stats") || settings.flag("json");
  GraphStats stats;
  try {
    if (sample > 0) measured_recall = measure_recall(graph, made.embeddings, sample, seed, run);
    if (want_stats) stats = graph_stats(graph, run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::interrupted) throw;
    throw Error(ErrorKind::interrupted,
                fmt::format("interrupted: {} is saved, what was to be measured on it is not known", out));
  }
  line.clear();
  if (settings.flag("json")) {
    nlohmann::ordered_json json = report_json(made, out, stats);
    if (measured_recall) json["recall_measured"] = *measured_recall;
    fmt::print("{}\n", json_text(json));
    return;
  }
  if (settings.flag("quiet")) return;
  fmt::print("{}: {} items{}, {} edges in {:.2f} s\n{}", out, with_commas(graph.size()),
             made.appended > 0 ? fmt::format(" ({} of them added)", with_commas(made.appended)) : "",
             with_commas(graph.edge_count()), made.seconds, search_text(graph.info()));
  if (want_stats) fmt::print("{}", stats_text(stats));
  if (measured_recall) fmt::print("  recall       {:.4f} on the sample\n", *measured_recall);
}

}  // namespace

std::function<void()> add_graph(CLI::App& app) {
  CLI::App* command = app.add_subcommand("graph", "Build the neighbour graph once and save it");
  command->footer(
      "Examples:\n"
      "  pith graph --embeddings e.npy --out g.pith --stats\n"
      "  pith graph --embeddings e.npy --knn approximate --recall 0.98 --memory 4G --out g.pith\n"
      "  pith graph --embeddings e.npy --graph g.pith --append new.npy --out more.pith\n"
      "  pith select --graph g.pith --probs p.npy --budget 10% --out chosen");
  auto settings = std::make_shared<Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_graph(*settings); };
}

}  // namespace pith::cli
