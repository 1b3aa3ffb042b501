#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "base/output_file.h"
#include "base/output_folder.h"
#include "base/thousands.h"
#include "commands.h"
#include "data/manifest.h"
#include "graph/build_graph.h"
#include "handover/rounds.h"
#include "label_settings.h"
#include "pipeline/option_table.h"
#include "pipeline/plan_graph.h"
#include "pipeline/run_folder.h"
#include "select_inputs.h"
#include "terminal.h"

namespace pith::cli {
namespace fs = std::filesystem;
namespace {

/// Files that are remembered by where they are, wherever the next round is started from.
constexpr const char* path_settings[] = {"embeddings", "probs",  "graph", "ids",        "labelled",
                                         "exclude",    "scores", "costs", "class-names"};
/// What all rounds share, because they share the graph.
constexpr const char* fixed_settings[] = {"embeddings", "graph", "ids"};

std::vector<Setting> all_settings() {
  std::vector<Setting> settings = {
      {.name = "folder",
       .value_name = "DIR",
       .help = "folder of the rounds; made by the first",
       .group = "Files",
       .positional = true},
      {"labels", "FILE", "finished labels of the round before, as pith import reads them", "Files"},
      {"status", "", "only say how far the rounds are", "Running", true}};
  for (Setting& setting : select_settings()) {
    if (setting.name == "out" || setting.name == "config" || setting.name == "json" || setting.name == "plan")
      continue;
    settings.push_back(std::move(setting));
  }
  for (Setting& setting : label_settings("Labels")) settings.push_back(std::move(setting));
  return settings;
}

using Given = std::map<std::string, std::vector<std::string>>;

/// Every item that has a label so far, by index.
using Labels = std::map<Item, std::optional<std::uint32_t>>;

class RoundMaker {
 public:
  RoundMaker(Settings& settings, std::string folder) : settings_(settings), folder_(std::move(folder)) {}

  void run() {
    if (folder_has(folder_, rounds_name)) rounds_ = read_rounds(folder_);
    if (settings_.flag("status")) return print_status();
    ProgressLine line(settings_.flag("quiet"));
    const Run run = make_run(settings_.threads(), line);
    if (rounds_.rounds.empty())
      begin();
    else
      go_on();
    const SelectOptions options = read_options(settings_);
    const std::string next = place(rounds_.next_folder());
    static_cast<void>(OutputFolder(next));  // an unwritable place is found out before the work, not after
    Inputs inputs = read_inputs(settings_, options, run);
    if (!inputs.input.graph && inputs.input.embeddings.rows() != 0) {
      inputs.input.graph =
          build_checked_graph(inputs.input.embeddings, as_planned(options.graph, inputs.plan), run);
      save_graph(*inputs.input.graph, noted("graph.pith"));
    }
    const Selection selection = select_from(inputs, options, run);
    inputs.notes.peak_rss_bytes = peak_rss_bytes();
    write_selection(noted(rounds_.next_folder()), selection, inputs.ids, inputs.notes, run);
    rounds_.rounds.push_back({.folder = rounds_.next_folder(),
                              .labels = settings_.text("labels"),
                              .labelled = inputs.input.labelled.size(),
                              .selected = selection.picks.size()});
    OutputFile file(place(rounds_name));
    file.write(rounds_json(rounds_));
    file.put_in_place();
    done_ = true;
    line.clear();
    if (settings_.flag("quiet")) return;
    if (!told_.empty()) fmt::print("{}", told_);
    fmt::print("Round {}\n{}Wrote {}/ indices.npy, selection.csv, summary.json\n", rounds_.rounds.size(),
               summary_text(selection, inputs.notes), next);
    fmt::print("Label them (pith export {} --to ...), then: pith round {} --labels FILE\n", next, folder_);
  }

  /// A round that failed leaves nothing of its own.
  ~RoundMaker() {
    if (done_) return;
    std::error_code ignored;
    for (const std::string& path : written_) fs::remove_all(path, ignored);
    if (!made_.empty() && fs::is_empty(made_, ignored)) fs::remove(made_, ignored);
  }
  RoundMaker(const RoundMaker&) = delete;
  RoundMaker& operator=(const RoundMaker&) = delete;

 private:
  /// The place of what is about to be written, unless something is there already.
  [[nodiscard]] std::string noted(const std::string& name) {
    std::string path = place(name);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) written_.push_back(path);
    return path;
  }
  [[nodiscard]] std::string place(const std::string& name) const {
    return (fs::path(folder_) / name).string();
  }

  [[noreturn]] static void refuse_option(const std::string& message) {
    throw Error(ErrorKind::bad_option, message);
  }

  /// The first round: what it is told becomes what all others start from.
  void begin() {
    if (settings_.has("labels"))
      refuse_option(
          "--labels: there is no round yet whose labels these could be; use --labelled for a first list");
    static_cast<void>(read_options(settings_));
    std::error_code error;
    if (fs::create_directories(folder_, error)) made_ = folder_;
    if (error) throw Error(ErrorKind::io, fmt::format("{}: cannot create: {}", folder_, error.message()));
    remember(settings_.all_given());
  }

  /// What a round is told holds for those after it, too.
  void remember(const Given& given) {
    for (const auto& [name, as_given] : given) {
      if (name == "folder" || name == "labels" || name == "threads" || name == "quiet") continue;
      const bool is_path =
          std::find(std::begin(path_settings), std::end(path_settings), name) != std::end(path_settings);
      const bool may_be_path = name == "class-cap" || name == "boundary-cap";
      std::vector<std::string> values = as_given;
      std::error_code ignored;
      for (std::string& value : values)
        if (is_path || (may_be_path && fs::exists(value, ignored))) value = fs::absolute(value).string();
      rounds_.settings[name] = std::move(values);
    }
  }

  /// A later round: what is not said anew stays as it was, and the labels join those before.
  void go_on() {
    for (const char* name : fixed_settings) {
      if (!settings_.has(name)) continue;
      refuse_option(
          fmt::format("--{}: the rounds of {} share one graph and its items; leave it out, or start "
                      "another folder",
                      name, folder_));
    }
    for (const OptionSpec& spec : select_option_specs())
      if (is_graph_option(spec.name) && settings_.has(spec.name))
        refuse_option(
            fmt::format("--{}: the rounds of {} share one graph; leave it out, or start another folder",
                        spec.name, folder_));
    if (settings_.has("labelled"))
      refuse_option(fmt::format(
          "--labelled: {} knows what was labelled before; give the new labels with --labels", folder_));
    const std::string labels = settings_.required(
        "labels",
        fmt::format("give the finished labels of {}, or ask for --status", rounds_.rounds.back().folder));
    const bool given_graph = rounds_.settings.contains("graph");
    const bool own_graph = !given_graph && folder_has(folder_, "graph.pith");
    std::erase_if(rounds_.settings, [&](const auto& before) { return is_superseded(before.first); });
    const Given given = settings_.all_given();
    for (const auto& [name, values] : rounds_.settings) {
      if (name == "labelled" || ((given_graph || own_graph) && is_graph_option(name))) continue;
      settings_.set_default(name, values);
    }
    remember(given);
    if (own_graph) settings_.set_default("graph", {place("graph.pith")});
    join_labels(labels);
  }

  /// An option of earlier rounds that does not go with what this one is told.
  [[nodiscard]] bool is_superseded(const std::string& name) const {
    return (name == "logits" && settings_.has("probs")) || (name == "lambda" && settings_.has("term")) ||
           (name == "term" && settings_.has("lambda")) ||
           (name == "budget" && settings_.has("budget-cost")) ||
           ((name == "budget-cost" || name == "costs") && settings_.has("budget")) ||
           (name == "scores" && !settings_.has("scores") && other_terms_without_scores());
  }

  /// What the saved graph depends on; how much memory may be taken is a round's own matter.
  static bool is_graph_option(const std::string& name) {
    for (const OptionSpec& spec : select_option_specs())
      if (spec.name == name) return spec.group == "Graph" && name != "memory";
    return false;
  }

  /// This round has another objective than the ones before, and it does not look at scores.
  [[nodiscard]] bool other_terms_without_scores() const {
    if (settings_.has("lambda")) return true;
    return settings_.has("term") && settings_.text("term").find("scores=") == std::string::npos;
  }

  void join_labels(const std::string& path) {
    const RunFolder last = read_run_folder(place(rounds_.rounds.back().folder));
    std::vector<std::string> ids;
    if (settings_.has("ids")) ids = read_ids(settings_.text("ids"), last.items());
    Labels labels = labels_before(last, ids);

    ImportOptions options = read_label_options(settings_);
    options.items = last.items();
    options.class_count = last.classes();
    options.classes = read_class_names(settings_, last.classes());
    for (std::size_t item = 0; item < ids.size(); ++item)
      options.ids.emplace_back(ids[item], static_cast<Item>(item));
    if (ids.empty())
      for (const PickRecord& pick : last.picks) options.ids.emplace_back(pick.id, pick.item);
    const Imported imported = import_labels(path, options);
    if (imported.labelled.empty())
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: nobody has labelled anything in it; label some of {} first", path,
                              place(rounds_.rounds.back().folder)));
    std::set<Item> open;
    for (const PickRecord& pick : last.picks) open.insert(pick.item);
    std::size_t added = 0;
    std::size_t changed = 0;
    for (const LabelledItem& item : imported.labelled) {
      if (!item.item)
        throw Error(ErrorKind::bad_input,
                    fmt::format("{}: '{}' is no item of {}, whose ids are not known here; "
                                "name items by index",
                                path, item.id, place(rounds_.rounds.back().folder)));
      const auto [at, is_new] = labels.emplace(*item.item, item.label);
      if (is_new || !at->second) ++added;
      if (!is_new && at->second && *at->second != item.label) ++changed;
      at->second = item.label;
      open.erase(*item.item);
    }
    if (added + changed == 0)
      throw Error(
          ErrorKind::bad_input,
          fmt::format("{}: all its {} labels are known from earlier rounds; give those of the picks "
                      "of {}",
                      path, with_commas(imported.labelled.size()), place(rounds_.rounds.back().folder)));
    const std::size_t of_picks = last.picks.size() - open.size();
    const std::size_t of_others = imported.labelled.size() - of_picks;
    told_ = fmt::format("Read {} labels of {}{}{}{}\n", with_commas(of_picks), rounds_.rounds.back().folder,
                        of_others > 0 ? fmt::format(" and {} of other items", with_commas(of_others)) : "",
                        changed > 0 ? fmt::format("; {} replace earlier ones", with_commas(changed)) : "",
                        open.empty() ? ""
                                     : fmt::format("; {} of its picks have none yet and may be chosen again",
                                                   with_commas(open.size())));
    std::string csv = "index,label\n";
    for (const auto& [item, label] : labels)
      csv += fmt::format("{},{}\n", item, label ? std::to_string(*label) : "");
    const std::string list = noted(fmt::format("labelled-{}.csv", rounds_.rounds.size() + 1));
    OutputFile file(list);
    file.write(csv);
    file.put_in_place();
    settings_.set_default("labelled", {list});
  }

  /// What the last round started from.
  [[nodiscard]] Labels labels_before(const RunFolder& last, const std::vector<std::string>& ids) const {
    Labels labels;
    std::string path;
    if (rounds_.rounds.size() > 1)
      path = place(fmt::format("labelled-{}.csv", rounds_.rounds.size()));
    else if (const auto found = rounds_.settings.find("labelled"); found != rounds_.settings.end())
      path = found->second.at(0);
    if (path.empty()) return labels;
    const ItemList list = read_item_list(path, last.items(), ids);
    for (std::size_t at = 0; at < list.items.size(); ++at) labels.emplace(list.items[at], list.labels[at]);
    return labels;
  }

  void print_status() const {
    if (rounds_.rounds.empty()) {
      fmt::print("No round yet in {}\n", folder_);
      return;
    }
    for (std::size_t at = 0; at < rounds_.rounds.size(); ++at) {
      const Round& round = rounds_.rounds[at];
      fmt::print("Round {}: {} chosen, {} labelled before, in {}/{}\n", at + 1, with_commas(round.selected),
                 with_commas(round.labelled), folder_, round.folder);
    }
    fmt::print("Next: pith round {} --labels FILE, once {} is labelled\n", folder_,
               rounds_.rounds.back().folder);
  }

  Settings& settings_;
  std::string folder_;
  Rounds rounds_;
  std::string told_;
  std::string made_;  ///< the folder, where it was not there before
  std::vector<std::string> written_;
  bool done_ = false;
};

void run_round(Settings& settings) {
  settings.gather();
  RoundMaker(settings, settings.required("folder", "name the folder of the rounds: pith round DIR ..."))
      .run();
}

}  // namespace

std::function<void()> add_round(CLI::App& app) {
  CLI::App* command = app.add_subcommand("round", "Choose and label in rounds, all kept in one folder");
  command->footer(
      "Examples:\n"
      "  pith round work --embeddings e.npy --probs p.npy --budget 500       # the first round: "
      "work/round-1\n"
      "  pith export work/round-1 --to label-studio --out tasks.json\n"
      "  pith round work --labels export.json --probs better.npy             # the second starts from those "
      "labels\n"
      "  pith report work\n"
      "Options are those of pith select; later rounds keep what they are not told anew, and share the "
      "graph.");
  auto settings = std::make_shared<Settings>();
  settings->attach(*command, all_settings());
  return [settings] { run_round(*settings); };
}

}  // namespace pith::cli
