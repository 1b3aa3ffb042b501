#include "serve/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <set>

#include "data/checks.h"
#include "data/column.h"
#include "data/manifest.h"
#include "data/refuse.h"
#include "handover/rounds.h"
#include "pipeline/option_table.h"
#include "strategy/registry.h"

namespace pith::serve {
namespace fs = std::filesystem;
namespace {

std::string absolute(const std::string& path) {
  return path.empty() ? path : fs::absolute(path).lexically_normal().string();
}

std::string text_of(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::vector<std::string> parts;
  for (const nlohmann::json& part : value) parts.push_back(text_of(part));
  return fmt::format("{}", fmt::join(parts, ","));
}

/// What follows from the strategy alone need not be said, and would outlive a change of the strategy.
void leave_out_natural(GivenTexts& given, const Strategy& strategy) {
  if (strategy.ranks_by) given.erase("uncertainty");
  if (!strategy.only_term.empty()) given.erase("term");
  if (given.contains("term")) given.erase("lambda");
}

/// Lambda as it was before submod dropped the triples.
nlohmann::json with_triples(nlohmann::json lambda, const Strategy& strategy) {
  if (strategy.drops_triples && lambda.is_array() && lambda.size() == 3 && lambda[2] == 0.0) lambda[2] = 1.0;
  return lambda;
}

/// Caps from a file: where the file is now.
void find_cap_files(Session& session) {
  for (const char* name : {"class-cap", "boundary-cap"}) {
    const auto found = session.given.find(name);
    if (found == session.given.end()) continue;
    SelectOptions options;
    for (const OptionSpec& spec : select_option_specs())
      if (spec.name == name) spec.set(options, found->second);
    const auto* file = std::get_if<CapFile>(&options.balance.class_cap);
    const auto* other = std::get_if<CapFile>(&options.balance.boundary_cap);
    if (file == nullptr && other == nullptr) continue;
    const fs::path beside = fs::absolute(session.folder.path).lexically_normal() / ".." / found->second;
    std::error_code ignored;
    if (fs::is_regular_file(found->second, ignored)) {
      found->second = absolute(found->second);
    } else if (fs::is_regular_file(beside, ignored)) {
      found->second = beside.lexically_normal().string();
    } else {
      session.notes.push_back(fmt::format("--{} ({}) is not where the run found it; the usual caps hold.",
                                          name, printable(found->second)));
      session.given.erase(found);
    }
  }
}

class Opener {
 public:
  Opener(std::string folder, const SessionOptions& options, const Run& run)
      : folder_(std::move(folder)), options_(options), run_(run) {}

  Session open() {
    session_.folder = read_run_folder(folder_);
    inputs_ = find_run_inputs(session_.folder, options_.inputs, {}, run_);
    require_inputs();
    if (!options_.class_names.empty())
      session_.class_names = read_class_names(options_.class_names, session_.folder.classes());
    read_lists();
    find_graph();
    make_maps();
    session_.images = options_.images;
    session_.given = given_options_of(session_.folder);
    session_.notes = std::move(inputs_.notes);
    find_cap_files(session_);
    forget_what_is_missing();
    return std::move(session_);
  }

 private:
  void require_inputs() {
    if (inputs_.probabilities.empty())
      refuse_input(folder_,
                   "the class probabilities are not where the run found them, or have changed; say "
                   "--probs FILE");
    if (!inputs_.embeddings && !inputs_.graph)
      refuse_input(folder_,
                   "neither embeddings nor graph are where the run found them, or they have changed; "
                   "say --embeddings FILE or --graph FILE");
    SelectInput& input = session_.input;
    input.probabilities = inputs_.probabilities;
    for (const Matrix& member : input.probabilities.members)
      session_.files.probs.push_back(absolute(member.source));
    if (!inputs_.embeddings) return;
    input.embeddings = *inputs_.embeddings;
    session_.files.embeddings = absolute(input.embeddings.source);
    static_cast<void>(check_embeddings(input.embeddings, run_));
  }

  void read_lists() {
    const std::size_t n = session_.folder.items();
    SelectInput& input = session_.input;
    RunFiles& files = session_.files;
    const auto file_of = [&](const char* role, const char* without) {
      return absolute(find_run_file(session_.folder, role, without, inputs_.notes).value_or(""));
    };
    files.ids = file_of("ids", "items go by their numbers");
    if (!files.ids.empty()) session_.ids = read_ids(files.ids, n);
    const char* lists = "choices here differ from the run's";
    files.labelled = file_of("labelled", lists);
    if (!files.labelled.empty()) {
      ItemList list = read_item_list(files.labelled, n, session_.ids);
      input.labelled = std::move(list.items);
      input.labels = std::move(list.labels);
    }
    files.exclude = file_of("exclude", lists);
    if (!files.exclude.empty()) input.excluded = read_item_list(files.exclude, n, session_.ids).items;
    read_numbers("scores", ColumnRange::not_negative, files.scores, input.scores);
    read_numbers("costs", ColumnRange::positive, files.costs, input.costs);
  }

  void read_numbers(const char* role, ColumnRange range, std::string& file, std::vector<double>& out) {
    file = absolute(
        find_run_file(session_.folder, role, "what needs it is left out", inputs_.notes).value_or(""));
    if (file.empty()) return;
    try {
      out = read_column(file, session_.folder.items(), range);
    } catch (const Error&) {
      // A run does not note which column of a table it read.
      inputs_.notes.push_back(
          fmt::format("{} ({}) has several columns; what needs it is left out.", role, file));
      file.clear();
    }
  }

  void find_graph() {
    const std::string kept = (fs::path(folder_) / kept_graph_name).string();
    if (inputs_.graph) {
      const nlohmann::json* note = session_.folder.input("graph");
      std::string& file = session_.files.graph;
      if (!options_.inputs.graph.empty())
        file = options_.inputs.graph;
      else if (note != nullptr)
        file = find_run_file(session_.folder, "graph", "", ignored_).value_or("");
      if (file.empty()) file = kept;
    } else {
      const SelectOptions options = options_of(session_.folder);
      inputs_.graph = build_graph(session_.input.embeddings, options.graph, run_);
      try {
        save_graph(*inputs_.graph, kept);
        session_.files.graph = kept;
      } catch (const Error& error) {
        inputs_.notes.push_back(
            fmt::format("The graph could not be kept for the next time: {}.", error.what()));
      }
    }
    session_.files.graph = absolute(session_.files.graph);
    session_.input.graph = inputs_.graph;
  }

  void make_maps() {
    const std::size_t n = session_.folder.items();
    MapOptions map;
    map.layout = options_.layout.value_or(n <= SessionOptions::most_laid_out);
    map.layout_options.seed = options_.map_seed;
    // Up to the points of a report, both keep one map; fewer, where they are asked for, are the explorer's
    // own.
    if (n > map.most_points || n > options_.most_points) {
      map.most_points = options_.most_points;
      map.file = "explorer-map.pith";
    }
    session_.map = make_map(session_.folder, inputs_, map, run_);
  }

  void forget_what_is_missing() {
    GivenTexts& given = session_.given;
    if (session_.input.costs.empty() && given.erase("budget-cost") != 0)
      given["budget"] = std::to_string(std::max<std::size_t>(1, session_.folder.picks.size()));
    const auto term = given.find("term");
    if (session_.input.scores.empty() && term != given.end() &&
        term->second.find("scores=") != std::string::npos)
      given.erase(term);
  }

  std::string folder_;
  const SessionOptions& options_;
  const Run& run_;
  RunInputs inputs_;
  std::vector<std::string> ignored_;
  Session session_;
};

}  // namespace

GivenTexts given_options_of(const RunFolder& folder) {
  const nlohmann::json& options = folder.summary.at("options");
  const Strategy& strategy = find_strategy(folder.summary.at("strategy").get<std::string>());
  const auto settled = folder.summary.find("automatic");
  const auto automatic =
      settled == folder.summary.end() ? std::set<std::string>{} : settled->get<std::set<std::string>>();
  GivenTexts given;
  for (const OptionSpec& spec : select_option_specs()) {
    const auto found = options.find(spec.name);
    if (spec.group == "Graph" || spec.name == "measure" || spec.name == "budget") continue;
    if (found == options.end() || found->is_null()) continue;
    if (automatic.contains(spec.name)) continue;
    const nlohmann::json value = spec.name == "lambda" ? with_triples(*found, strategy) : *found;
    const auto usual = nlohmann::json::parse(spec.get(SelectOptions{}).dump());
    if (value != usual) given[spec.name] = text_of(value);
  }
  given["strategy"] = std::string(strategy.name);
  leave_out_natural(given, strategy);
  SelectOptions plain;
  plain.strategy = std::string(strategy.name);
  const SelectOptions natural = effective_options(plain);
  for (const OptionSpec& spec : select_option_specs())
    if (spec.name == "balance" && given.contains("balance") && spec.get(natural) == given.at("balance"))
      given.erase("balance");
  // A share of the items may have been rounded in the summary; the count was not.
  if (!given.contains("budget-cost"))
    given["budget"] = std::to_string(folder.summary.at("budget").at("requested").get<std::int64_t>());
  return given;
}

Session open_session(const std::string& folder, const SessionOptions& options, const Run& run) {
  require_folder(folder, "give the folder that pith select --out or pith round wrote");
  std::string path = folder;
  SessionOptions own = options;
  if (folder_has(folder, rounds_name)) {
    const Rounds rounds = read_rounds(folder);
    if (rounds.rounds.empty()) refuse_input(folder, "has no finished round; run pith round {} first", folder);
    path = (fs::path(folder) / rounds.rounds.back().folder).string();
    // The rounds share one graph.
    const std::string shared = (fs::path(folder) / kept_graph_name).string();
    if (own.inputs.graph.empty() && folder_has(folder, kept_graph_name)) own.inputs.graph = shared;
  }
  Session session = Opener(path, own, run).open();
  const fs::path whole = fs::absolute(folder).lexically_normal();
  session.name = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  return session;
}

}  // namespace pith::serve
