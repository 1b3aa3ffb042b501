#include "pipeline/run_inputs.h"

#include <filesystem>
#include <set>

#include "data/checksum.h"
#include "data/manifest.h"
#include "data/refuse.h"
#include "pipeline/option_table.h"
#include "pith/read.h"

namespace pith {
namespace fs = std::filesystem;
namespace {

/// Where a file may be now: as noted, or where it would be if run folder and files moved together.
std::vector<std::string> places_of(const RunFolder& folder, const std::string& noted) {
  std::vector<std::string> places = {noted};
  const fs::path beside = fs::absolute(folder.path).lexically_normal() / "..";
  if (fs::path(noted).is_relative()) places.push_back((beside / noted).lexically_normal().string());
  places.push_back((beside / fs::path(noted).filename()).lexically_normal().string());
  places.push_back((fs::path(folder.path) / fs::path(noted).filename()).string());
  return places;
}

/// One kind of input: how to open it and how to tell it is the one of the run.
template <class Value>
struct Kind {
  std::string role;  ///< as in the summary
  std::string option;
  std::function<Value(const std::string& path)> open;
  std::function<std::string(const Value&, const std::string& path)> checksum;
};

/// The input of that role, as it was, wherever it lies now; else `changed` says whether another one was
/// there.
template <class Value>
std::optional<Value> find_unchanged(const RunFolder& folder, const Kind<Value>& kind,
                                    const nlohmann::json& note, bool& changed) {
  const std::string wanted = note.value("checksum", std::string());
  for (const std::string& place : places_of(folder, note.value("path", std::string()))) {
    try {
      Value value = kind.open(place);
      if ("xxh3:" + kind.checksum(value, place) == wanted) return value;
      changed = true;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      changed = changed || error.kind() != ErrorKind::io;
    }
  }
  return std::nullopt;
}

/// Opens the input of that role, or says in `notes` why not.
template <class Value>
std::optional<Value> find_input(const RunFolder& folder, const Kind<Value>& kind, const std::string& told,
                                const std::string& without, std::vector<std::string>& notes) {
  const nlohmann::json* note = folder.input(kind.role);
  if (note == nullptr) {
    if (!told.empty())
      refuse(ErrorKind::bad_option, "--" + kind.option, "{} was made without {}; leave it out", folder.path,
             kind.role);
    return std::nullopt;
  }
  const std::string noted = note->value("path", std::string());
  const std::string wanted = note->value("checksum", std::string());
  if (!told.empty()) {
    Value value = kind.open(told);
    if ("xxh3:" + kind.checksum(value, told) != wanted)
      refuse_input(told, "is not the {} that {} was made from ({}); give the right file, or leave out --{}",
                   kind.role, folder.path, noted, kind.option);
    return value;
  }
  bool changed = false;
  std::optional<Value> found = find_unchanged(folder, kind, *note, changed);
  if (!found)
    notes.push_back(fmt::format("{} ({}) {}; {}. Say --{} FILE to point to it.", kind.role, printable(noted),
                                changed ? "has changed since the run" : "is not where the run found it",
                                without, kind.option));
  return found;
}

Kind<Matrix> matrix_kind(std::string role, std::string option, const Run& run) {
  return {std::move(role), std::move(option), [](const std::string& path) { return read_matrix(path); },
          [&run](const Matrix& matrix, const std::string&) { return fingerprint_of(matrix.view, run); }};
}

void find_probabilities(const RunFolder& folder, const InputPaths& paths, RunInputs& out, const Run& run) {
  for (std::size_t at = 0;; ++at) {
    const std::string role = at == 0 ? "probs" : fmt::format("probs-{}", at + 1);
    const nlohmann::json* note = folder.input(role);
    if (note == nullptr) break;
    const std::string told = at < paths.probs.size() ? paths.probs[at] : "";
    auto found =
        find_input(folder, matrix_kind(role, "probs", run), told,
                   "classes and uncertainty of the items that were not picked are unknown", out.notes);
    if (!found) {
      out.probabilities = {};
      return;
    }
    out.probabilities.logits = note->value("logits", false);
    out.probabilities.members.push_back(std::move(*found));
  }
  if (paths.probs.size() > out.probabilities.members.size())
    refuse(ErrorKind::bad_option, "--probs", "{} was made from {} of them but {} are given; give as many",
           folder.path, out.probabilities.members.size(), paths.probs.size());
}

/// A file that is looked at as a whole, known by the checksum of its bytes.
Kind<std::string> file_kind(const std::string& role) {
  return {.role = role,
          .option = role,
          .open = [](const std::string& path) { return path; },
          .checksum = [](const std::string& path, const std::string&) { return checksum_of_file(path); }};
}

void find_labelled(const RunFolder& folder, RunInputs& out) {
  if (folder.input("labelled") == nullptr) return;
  // Ids are not kept in a run folder: a list by id needs the file of ids.
  const bool has_ids = folder.input("ids") != nullptr;
  std::vector<std::string> notes;
  const char* const without = "labelled items are not marked";
  const auto path = find_run_file(folder, "labelled", without, notes);
  const auto ids = path && has_ids ? find_run_file(folder, "ids", without, notes) : std::nullopt;
  if (path && (ids || !has_ids)) {
    const std::size_t items = folder.items();
    const auto names = ids ? read_ids(*ids, items) : std::vector<std::string>();
    out.labelled = read_item_list(*path, items, names).items;
  }
  out.notes.insert(out.notes.end(), notes.begin(), notes.end());
}

/// One that was kept in the run folder, if it is the run's own: the same embeddings, the same edges.
std::optional<Graph> find_kept_graph(const RunFolder& folder, const Run& run) {
  if (!folder_has(folder.path, kept_graph_name)) return std::nullopt;
  const nlohmann::json& summary = folder.summary;
  const nlohmann::json::json_pointer fingerprint("/graph/fingerprint");
  const nlohmann::json::json_pointer edges("/graph/edges");
  if (!summary.contains(fingerprint) || !summary.contains(edges)) return std::nullopt;
  try {
    Graph graph = load_graph((fs::path(folder.path) / kept_graph_name).string(), run);
    if (summary.at(fingerprint) == graph.info().fingerprint && summary.at(edges) == graph.edge_count())
      return graph;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
  }
  return std::nullopt;
}

/// Any graph of the run's embeddings will do, whether or not the run itself read it from a file.
void find_graph(const RunFolder& folder, const InputPaths& paths, RunInputs& out, const Run& run) {
  if (!paths.graph.empty()) {
    Graph graph = load_graph(paths.graph, run);
    const nlohmann::json::json_pointer at("/graph/fingerprint");
    const nlohmann::json& summary = folder.summary;
    if (!summary.contains(at) || summary.at(at) != graph.info().fingerprint)
      refuse_input(paths.graph, "is not a graph of the embeddings that {} was made from; leave out --graph",
                   folder.path);
    out.graph = std::move(graph);
    return;
  }
  const Kind<Graph> kind{
      .role = "graph",
      .option = "graph",
      .open = [&](const std::string& path) { return load_graph(path, run); },
      .checksum = [](const Graph&, const std::string& path) { return checksum_of_file(path); }};
  out.graph = find_kept_graph(folder, run);
  if (out.graph) return;
  out.graph = find_input(folder, kind, "", out.embeddings ? "it is built again" : "there is no neighbour map",
                         out.notes);
}

}  // namespace

std::optional<std::string> find_run_file(const RunFolder& folder, const std::string& role,
                                         const std::string& without, std::vector<std::string>& notes) {
  const nlohmann::json* note = folder.input(role);
  if (note == nullptr) return std::nullopt;
  bool changed = false;
  std::optional<std::string> found = find_unchanged(folder, file_kind(role), *note, changed);
  if (!found)
    notes.push_back(fmt::format("{} ({}) {}; {}.", role, printable(note->value("path", std::string())),
                                changed ? "has changed since the run" : "is not where the run found it",
                                without));
  return found;
}

SelectOptions options_of(const RunFolder& folder) {
  static const std::set<std::string> wanted = {"neighbors", "metric",      "symmetry", "knn",
                                               "recall",    "uncertainty", "tau"};
  SelectOptions options;
  const nlohmann::json& given = folder.summary.at("options");
  for (const OptionSpec& spec : select_option_specs()) {
    const auto found = given.find(spec.name);
    if (!wanted.contains(spec.name) || found == given.end() || found->is_null()) continue;
    try {
      spec.set(options, found->is_string() ? found->get<std::string>() : found->dump());
    } catch (const Error& error) {
      // It says "--metric: ...", but nobody gave that on a command line.
      const std::string prefix = fmt::format("--{}: ", spec.name);
      std::string_view problem = error.what();
      if (problem.starts_with(prefix)) problem.remove_prefix(prefix.size());
      refuse_input((fs::path(folder.path) / "summary.json").string(), "/options/{}: {}", spec.name, problem);
    }
  }
  return options;
}

RunInputs find_run_inputs(const RunFolder& folder, const InputPaths& paths, const WantedInputs& wanted,
                          const Run& run) {
  RunInputs out;
  if (wanted.embeddings) {
    const bool has_graph = folder.input("graph") != nullptr;
    out.embeddings = find_input(folder, matrix_kind("embeddings", "embeddings", run), paths.embeddings,
                                has_graph ? "there is no PCA map" : "there is no map", out.notes);
  }
  if (wanted.probabilities) find_probabilities(folder, paths, out, run);
  if (wanted.graph) find_graph(folder, paths, out, run);
  find_labelled(folder, out);
  const auto require_rows = [&](const std::string& source, std::size_t rows) {
    if (rows != folder.items())
      refuse_input(source, "has {} rows but {} was made from {} items; run pith select again", rows,
                   folder.path, folder.items());
  };
  if (out.embeddings) require_rows(out.embeddings->source, out.embeddings->rows());
  for (const Matrix& member : out.probabilities.members) require_rows(member.source, member.rows());
  if (out.graph) require_rows("the graph", out.graph->size());
  return out;
}

}  // namespace pith
