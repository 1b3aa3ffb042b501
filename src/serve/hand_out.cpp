#include "serve/hand_out.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>

#include "base/output_file.h"
#include "data/text.h"
#include "handover/export.h"
#include "pipeline/option_table.h"
#include "pipeline/outputs.h"
#include "pith/error.h"

namespace pith::serve {
namespace fs = std::filesystem;
namespace {

std::string type_of(std::string_view extension) {
  if (extension == ".json") return "application/json";
  if (extension == ".xml") return "application/xml";
  if (extension == ".npy") return "application/octet-stream";
  return "text/plain; charset=utf-8";
}

/// As a shell reads it back.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./,:=@%+";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  out += '\'';
  return out;
}

std::string list_csv(const std::vector<Item>& items,
                     const std::vector<std::optional<std::uint32_t>>& labels) {
  std::string out = "index,label\n";
  for (std::size_t at = 0; at < items.size(); ++at)
    out += fmt::format("{},{}\n", items[at],
                       at < labels.size() && labels[at] ? fmt::format("{}", *labels[at]) : "");
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> handout_formats() {
  std::vector<std::pair<std::string, std::string>> formats = {
      {"indices.npy", "the chosen rows in pick order"},
      {"selection.csv", "the table of picks of a run folder"},
      {"summary.json", "the summary of a run folder"}};
  for (const ExportFormat& format : export_formats()) formats.emplace_back(format.name, format.summary);
  return formats;
}

Handout hand_out(const Session& session, const Choice& choice, const std::string& format, const Run& run) {
  const Selection& selection = choice.selection();
  if (format == "indices.npy") return {format, type_of(".npy"), indices_npy(selection)};
  if (format == "selection.csv") return {format, type_of(".csv"), selection_csv(selection, session.ids, run)};
  if (format == "summary.json") return {format, type_of(".json"), summary_json(selection, {})};
  const auto formats = handout_formats();
  if (std::none_of(formats.begin(), formats.end(), [&](const auto& one) { return one.first == format; })) {
    std::vector<std::string> names;
    names.reserve(formats.size());
    for (const auto& one : formats) names.push_back(one.first);
    throw Error(ErrorKind::bad_option, fmt::format("format {} is not known; choose one of {}",
                                                   in_quotes(format), fmt::join(names, ", ")));
  }
  const ExportFormat& known = find_export_format(format);
  ExportNames names;
  names.classes = session.class_names;
  const RunFolder folder = run_in_memory(selection, session.ids, {}, run);
  return {fmt::format("{}-{}{}", session.name, known.name, known.extension), type_of(known.extension),
          export_run(folder, session.input.probabilities, known, names)};
}

Reproduction reproduce(const Session& session, const Choice& choice) {
  Reproduction out;
  out.words = {"pith", "select"};
  const auto say = [&](const std::string& option, const std::string& value) {
    if (value.empty()) return;
    out.words.push_back(fmt::format("--{}", option));
    out.words.push_back(value);
  };
  const RunFiles& files = session.files;
  say("embeddings", files.embeddings);
  for (const std::string& path : files.probs) say("probs", path);
  if (session.input.probabilities.logits) out.words.emplace_back("--logits");
  say("graph", files.graph);
  if (files.graph.empty()) {
    // A graph that could not be kept is built again, as the run built it.
    for (const OptionSpec& spec : select_option_specs()) {
      const auto& options = session.folder.summary.at("options");
      const auto found = options.find(spec.name);
      if (spec.group == "Graph" && found != options.end() && !found->is_null())
        say(spec.name, found->is_string() ? found->get<std::string>() : found->dump());
    }
  }
  say("ids", files.ids);
  const auto list = [&](const char* option, const std::string& own, bool differs,
                        const std::string& contents) {
    if (!differs) return say(option, own);
    const std::string name =
        fmt::format("{}-{:016x}.csv", option, XXH3_64bits(contents.data(), contents.size()));
    const std::string path =
        (fs::absolute(session.folder.path).lexically_normal() / "explorer" / name).string();
    out.files.emplace_back(path, contents);
    say(option, path);
  };
  const SelectInput& input = choice.input();
  list("labelled", files.labelled, input.labelled != session.input.labelled,
       list_csv(input.labelled, input.labels));
  if (!input.excluded.empty())
    list("exclude", files.exclude, input.excluded != session.input.excluded, list_csv(input.excluded, {}));
  if (!input.scores.empty()) say("scores", files.scores);
  if (!input.costs.empty()) say("costs", files.costs);
  for (const auto& [name, text] : choice.asked().given) say(name, text);
  say("out", session.name + "-again");  // not over the run that is explored
  for (const std::string& word : out.words)
    out.line += fmt::format("{}{}", out.line.empty() ? "" : " ", quoted(word));
  return out;
}

void write_lists(const Reproduction& reproduction) {
  for (const auto& [path, contents] : reproduction.files) {
    std::error_code error;
    if (fs::exists(path, error)) continue;  // its name says what is in it
    fs::create_directories(fs::path(path).parent_path(), error);
    if (error)
      throw Error(ErrorKind::io, fmt::format("{}: cannot make the folder: {}",
                                             fs::path(path).parent_path().string(), error.message()));
    OutputFile file(path);
    file.write(contents);
    file.put_in_place();
  }
}

}  // namespace pith::serve
