#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/output_folder.h"
#include "base/thousands.h"
#include "commands.h"
#include "data/checks.h"
#include "graph/graph_stats.h"
#include "graph_report.h"
#include "pipeline/option_table.h"
#include "pith/error.h"
#include "pith/pith.h"
#include "settings.h"
#include "terminal.h"

namespace pith::cli {
namespace {

std::vector<Setting> all_settings() {
  std::vector<Setting> settings = {
      {"embeddings", "FILE", "one row an item: .npy .npz .safetensors .csv .tsv .fvecs", "Files"},
      {"out", "FILE", "where to save the graph, e.g. g.pith", "Files"},
  };
  for (const OptionSpec& spec : select_option_specs())
    if (spec.group == "Graph")
      settings.push_back({spec.name, spec.value_name, help_with_default(spec), spec.group});
  settings.insert(
      settings.end(),
      {{"stats", "", "print degrees, components and edge lengths", "Reporting", true},
       {"recall-sample", "N", "measure the recall on N random items against brute force", "Reporting"},
       {"seed", "N", "for --recall-sample", "Reporting"},
       {"threads", "N", "threads to use (default: all cores); the graph is the same for any number",
        "Running"},
       {"quiet", "", "print nothing but errors", "Running", true},
       {"json", "", "print what is known of the graph as JSON", "Running", true}});
  return settings;
}

std::int64_t number_from(const char* name, std::int64_t least, const Settings& settings) {
  const std::int64_t value = parse_integer(name, settings.text(name));
  if (value < least)
    throw Error(ErrorKind::bad_option,
                fmt::format("--{}: {} given; write a number from {} up", name, value, least));
  return value;
}

void run_graph(Settings& settings) {
  settings.merge_config();
  SelectOptions options;
  for (const OptionSpec& spec : select_option_specs())
    if (spec.group == "Graph" && settings.has(spec.name)) spec.set(options, settings.text(spec.name));
  for (const std::string& problem : options.graph.check()) throw Error(ErrorKind::bad_option, problem);
  const std::string out = settings.required("out", "say where to save the graph: --out g.pith");
  const std::int64_t sample = settings.has("recall-sample") ? number_from("recall-sample", 1, settings) : 0;
  const std::int64_t seed = settings.has("seed") ? number_from("seed", 0, settings) : 0;

  ProgressLine line(settings.flag("quiet"));
  const Run run = make_run(settings.threads(), line);
  const Matrix embeddings = read_matrix(settings.required("embeddings", "pass --embeddings FILE"));
  require_writable_place(out);
  static_cast<void>(check_embeddings(embeddings, run));
  const auto started = std::chrono::steady_clock::now();
  const Graph graph = build_graph(embeddings, options.graph, run);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  save_graph(graph, out);

  std::optional<double> measured_recall;
  if (sample > 0)
    measured_recall = measure_recall(graph, embeddings, static_cast<std::size_t>(sample),
                                     static_cast<std::uint64_t>(seed), run);
  line.clear();

  const bool want_stats = settings.flag("stats") || settings.flag("json");
  const GraphStats stats = want_stats ? graph_stats(graph, run) : GraphStats{};
  if (settings.flag("json")) {
    nlohmann::ordered_json json = {{"path", out},
                                   {"items", graph.size()},
                                   {"edges", graph.edge_count()},
                                   {"neighbors", graph.info().neighbors},
                                   {"method", graph.info().method},
                                   {"recall", graph.info().recall.value_or(0)},
                                   {"seconds", seconds},
                                   {"fingerprint", graph.info().fingerprint},
                                   {"stats", stats_json(stats)}};
    if (measured_recall) json["recall_measured"] = *measured_recall;
    fmt::print("{}\n", json_text(json));
    return;
  }
  if (settings.flag("quiet")) return;
  fmt::print("{}: {} items, {} edges ({} neighbours each, {}) in {:.2f} s\n", out, with_commas(graph.size()),
             with_commas(graph.edge_count()), graph.info().neighbors, graph.info().method, seconds);
  if (want_stats) fmt::print("{}", stats_text(stats));
  if (measured_recall) fmt::print("  recall       {:.4f} on the sample\n", *measured_recall);
}

}  // namespace

std::function<void()> add_graph(CLI::App& app) {
  CLI::App* command = app.add_subcommand("graph", "Build the neighbour graph once and save it");
  command->footer(
      "Examples:\n"
      "  pith graph --embeddings e.npy --out g.pith --stats\n"
      "  pith select --graph g.pith --probs p.npy --budget 10% --out chosen");
  auto settings = std::make_shared<Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_graph(*settings); };
}

}  // namespace pith::cli
