#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/thousands.h"
#include "commands.h"
#include "data/checks.h"
#include "graph/graph_stats.h"
#include "graph_report.h"
#include "pipeline/describe.h"
#include "pipeline/describe_graph.h"
#include "pipeline/option_table.h"
#include "pith/error.h"
#include "pith/pith.h"
#include "settings.h"
#include "terminal.h"

namespace pith::cli {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> settings = {
      {"embeddings", "FILE", "embeddings to look at; 'part-*.npy' for shards", "Files"},
      {"probs", "FILE", "class probabilities to look at, likewise", "Files"},
      {"logits", "", "the probabilities are logits: apply a softmax", "Files", true},
      {"graph", "FILE", "a saved graph to look at", "Files"},
      {"tau", "T", "margin score above which an item belongs to a boundary (0.05)", "Reporting"},
      {"threads", "N", "threads to use (default: all cores)", "Running"},
      {"json", "", "print everything, every class and boundary included, as JSON", "Running", true}};
  return settings;
}

std::string bar(std::int64_t value, std::int64_t largest) {
  const auto length = largest > 0 ? static_cast<std::size_t>(30 * value / largest) : 0;
  return std::string(std::max<std::size_t>(length, value > 0 ? 1 : 0), '#');
}

/// "part-*.npy (12 shards)", or the file's name.
std::string name_with_shards(const Matrix& matrix) {
  if (matrix.view.pieces == nullptr) return matrix.source;
  return fmt::format("{} ({} shards)", matrix.source, matrix.view.pieces->views.size());
}

/// Adds where the rows lie, if not in one file.
void add_shards(const Matrix& matrix, Json& json) {
  if (matrix.view.pieces == nullptr) return;
  const MatrixPieces& pieces = *matrix.view.pieces;
  for (std::size_t at = 0; at < pieces.views.size(); ++at)
    json["shards"].push_back({{"path", pieces.sources[at]}, {"rows", pieces.views[at].rows}});
}

Json embeddings_info(const std::string& path, const Run& run, std::string& text) {
  const Matrix matrix = read_matrix(path);
  const EmbeddingStats stats = check_embeddings(matrix, run, CountDuplicates::yes);
  const std::size_t duplicates = stats.duplicates.value_or(0);
  text += fmt::format("embeddings   {}: {} items x {} ({})\n", name_with_shards(matrix),
                      with_commas(matrix.rows()), matrix.cols(), name_of(matrix.view.scalar));
  text += fmt::format("  duplicates {} rows equal an earlier one{}\n", with_commas(duplicates),
                      duplicates * 10 > matrix.rows() ? "  ! more than a tenth: consider removing them" : "");
  text += fmt::format(
      "  zero rows  {}{}\n", with_commas(stats.zero_vectors),
      stats.first_zero_vector
          ? fmt::format(" (first: row {})  ! a zero vector is like nothing else", *stats.first_zero_vector)
          : "");
  Json json = {{"path", matrix.source},
               {"items", matrix.rows()},
               {"dimension", matrix.cols()},
               {"type", name_of(matrix.view.scalar)},
               {"duplicates", duplicates},
               {"zero_vectors", stats.zero_vectors},
               {"fingerprint", fingerprint_of(matrix.view, run)}};
  add_shards(matrix, json);
  return json;
}

Json probs_info(const std::string& path, bool logits, double tau, const Run& run, std::string& text) {
  const Matrix matrix = read_matrix(path);
  const Predictions predictions = read_predictions(matrix, logits, UncertaintyKind::least_confidence, run);
  const PredictionReport report = describe_predictions(predictions, predictions.other_uncertainty, tau);
  const std::uint64_t classes = predictions.classes;

  text +=
      fmt::format("probs        {}: {} items x {} classes ({}{})\n", name_with_shards(matrix),
                  with_commas(matrix.rows()), classes, name_of(matrix.view.scalar), logits ? ", logits" : "");
  text +=
      fmt::format("  confidence mean best probability {:.3f}; {:.1f}% above 0.99; mean margin score {:.3f}\n",
                  report.mean_confidence, 100 * report.certain_share, report.mean_margin);
  const auto [low, high] = std::minmax_element(report.class_sizes.begin(), report.class_sizes.end());
  text += fmt::format("  classes    {} of {} predicted, {} to {} items each\n",
                      classes - report.empty_classes.size(), classes, with_commas(*low), with_commas(*high));
  if (classes <= 20)
    for (std::size_t c = 0; c < classes; ++c)
      text += fmt::format("    {:>4} {:>10} {}\n", c, with_commas(report.class_sizes[c]),
                          bar(report.class_sizes[c], *high));
  text += fmt::format("  boundaries {} of {} have items; {} items are too certain for any\n",
                      with_commas(report.boundaries.size()), with_commas(classes * (classes - 1) / 2),
                      with_commas(report.beyond_boundaries));
  for (std::size_t at = 0; at < std::min<std::size_t>(8, report.boundaries.size()); ++at) {
    const auto& [pair, size] = report.boundaries[at];
    text += fmt::format("    {:>9} {:>10} {}\n", fmt::format("{}-{}", pair.first, pair.second),
                        with_commas(size), bar(size, report.boundaries[0].second));
  }
  if (report.boundaries.size() > 8)
    text += fmt::format("    ... and {} more\n", with_commas(report.boundaries.size() - 8));
  text += "  margin     score of the items, in tenths\n";
  const std::int64_t fullest =
      *std::max_element(report.margin_histogram.begin(), report.margin_histogram.end());
  for (std::size_t bin = 0; bin < report.margin_histogram.size(); ++bin)
    text += fmt::format("    {:.1f}-{:.1f} {:>10} {}\n", static_cast<double>(bin) / 10,
                        static_cast<double>(bin + 1) / 10, with_commas(report.margin_histogram[bin]),
                        bar(report.margin_histogram[bin], fullest));
  for (const std::string& warning : report.warnings) text += fmt::format("  ! {}\n", warning);

  Json boundaries = Json::array();
  for (const auto& [pair, size] : report.boundaries)
    boundaries.push_back({{"label", fmt::format("{}-{}", pair.first, pair.second)}, {"items", size}});
  Json json = {{"path", matrix.source},
               {"items", matrix.rows()},
               {"classes", classes},
               {"type", name_of(matrix.view.scalar)},
               {"logits", logits},
               {"mean_confidence", report.mean_confidence},
               {"certain_share", report.certain_share},
               {"mean_margin", report.mean_margin},
               {"margin_histogram", report.margin_histogram},
               {"class_sizes", report.class_sizes},
               {"boundaries", boundaries},
               {"beyond_boundaries", report.beyond_boundaries},
               {"warnings", report.warnings}};
  add_shards(matrix, json);
  return json;
}

Json graph_info(const std::string& path, const Run& run, std::string& text) {
  const Graph graph = load_graph(path, run);
  const GraphStats stats = graph_stats(graph, run);
  text += fmt::format("graph        {}: {} items, {} edges\n", path, with_commas(graph.size()),
                      with_commas(graph.edge_count()));
  text += search_text(graph.info()) + stats_text(stats);
  Json json = {{"path", path},
               {"items", graph.size()},
               {"edges", graph.edge_count()},
               {"neighbors", graph.info().neighbors},
               {"fingerprint", graph.info().fingerprint},
               {"stats", stats_json(stats)}};
  json.update(search_json(graph.info()));
  return json;
}

void run_info(Settings& settings) {
  settings.gather();
  ProgressLine line(false);
  const Run run = make_run(settings.threads(), line);
  Json json = Json::object();
  std::string text;
  if (settings.has("embeddings"))
    json["embeddings"] = embeddings_info(settings.text("embeddings"), run, text);
  if (settings.has("probs")) {
    const double tau = settings.has("tau") ? parse_number("tau", settings.text("tau")) : BalanceOptions{}.tau;
    if (!(tau >= 0 && tau <= 1))
      throw Error(ErrorKind::bad_option, fmt::format("--tau: {} given; it must lie in [0,1]", tau));
    json["probs"] = probs_info(settings.text("probs"), settings.flag("logits"), tau, run, text);
  }
  if (settings.has("graph")) json["graph"] = graph_info(settings.text("graph"), run, text);
  if (json.empty())
    throw Error(ErrorKind::bad_option, "nothing to look at; pass --embeddings, --probs or --graph FILE");
  if (json.contains("embeddings") && json.contains("probs") &&
      json["embeddings"]["items"] != json["probs"]["items"]) {
    const std::string warning = fmt::format(
        "the embeddings have {} rows, the probabilities {}: pith select will refuse them together",
        json["embeddings"]["items"].get<std::size_t>(), json["probs"]["items"].get<std::size_t>());
    json["warnings"] = {warning};
    text += fmt::format("! {}\n", warning);
  }
  line.clear();
  fmt::print("{}", settings.flag("json") ? json_text(json) + "\n" : text);
}

}  // namespace

std::function<void()> add_info(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("info", "Look at embeddings, probabilities or a graph before using them");
  command->footer(
      "Example:\n  pith info --embeddings e.npy --probs p.npy\n"
      "  pith info --embeddings 'part-*.npy'");
  auto settings = std::make_shared<Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_info(*settings); };
}

}  // namespace pith::cli
