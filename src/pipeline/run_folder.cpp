#include "pipeline/run_folder.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "data/delimited.h"
#include "data/json.h"
#include "data/mapped_file.h"
#include "data/readers/npy.h"
#include "data/refuse.h"
#include "data/text.h"

namespace pith {
namespace fs = std::filesystem;
namespace {

constexpr const char* remedy = "give the folder that pith select --out wrote";
constexpr const char* columns =
    "rank,index,id,gain,uncertainty,pair_penalty,triple_gain,class,boundary,represents,score,augmented";
constexpr std::size_t fixed_columns = 12;

/// Reads the rows of selection.csv.
class SelectionReader {
 public:
  SelectionReader(const Bytes& file, RunFolder& out)
      : file_(file), out_(out), items_(out.items()), classes_(out.classes()) {}

  void read() {
    DelimitedReader records(file_, ',');
    std::vector<std::string_view> fields;
    if (!records.next(fields)) refuse_input(file_.name, "is empty; run pith select again");
    read_header(fields);
    width_ = fields.size();
    while (records.next(fields)) {
      line_ = records.line();
      if (fields.size() != width_)
        refuse_input(file_.name, "line {}: {} fields where the header has {}; run pith select again", line_,
                     fields.size(), width_);
      read_row(fields);
    }
  }

 private:
  void read_header(const std::vector<std::string_view>& fields) {
    std::string found;
    for (std::size_t at = 0; at < std::min(fields.size(), fixed_columns); ++at) {
      if (at > 0) found += ',';
      found += fields[at];
    }
    if (found != columns)
      refuse_input(file_.name, "line 1: the columns are not those pith select writes; {}", remedy);
    for (std::size_t at = fixed_columns; at < fields.size(); ++at) out_.other_terms.emplace_back(fields[at]);
  }

  void read_row(const std::vector<std::string_view>& fields) {
    PickRecord pick;
    if (whole(fields[0], "rank", UINT32_MAX) != out_.picks.size())
      refuse_input(file_.name, "line {}: rank {} where {} is due; run pith select again", line_,
                   in_quotes(fields[0]), out_.picks.size());
    pick.item = static_cast<Item>(whole(fields[1], "index", items_));
    pick.id = std::string(fields[2]);
    out_.has_ids = out_.has_ids || fields[2] != fields[1];
    const bool measured = !fields[3].empty();
    out_.measured = out_.measured && measured;
    pick.gain = measured ? number(fields[3]) : 0;
    pick.uncertainty = number(fields[4]);
    pick.pair_penalty = measured ? number(fields[5]) : 0;
    pick.triple_gain = measured ? number(fields[6]) : 0;
    pick.class_label = static_cast<std::uint32_t>(whole(fields[7], "class", classes_));
    if (!fields[8].empty()) pick.boundary = boundary(fields[8]);
    if (!fields[9].empty())
      pick.represents = static_cast<std::uint32_t>(whole(fields[9], "represents", items_ + 1));
    pick.augmented = fields[11] == "1";
    for (std::size_t at = fixed_columns; at < fields.size(); ++at)
      pick.others.push_back(measured ? number(fields[at]) : 0);
    out_.picks.push_back(std::move(pick));
  }

  std::pair<std::uint32_t, std::uint32_t> boundary(std::string_view text) const {
    const std::size_t dash = std::min(text.find('-'), text.size() - 1);
    return {static_cast<std::uint32_t>(whole(text.substr(0, dash), "boundary", classes_)),
            static_cast<std::uint32_t>(whole(text.substr(dash + 1), "boundary", classes_))};
  }

  std::uint64_t whole(std::string_view text, const char* column, std::uint64_t bound) const {
    const auto value = parse_unsigned(text);
    if (!value || *value >= bound)
      refuse_input(file_.name, "line {}: {} {} is not a whole number below {}; run pith select again", line_,
                   column, in_quotes(text), bound);
    return *value;
  }

  double number(std::string_view text) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      refuse_input(file_.name, "line {}: {} is not a number; run pith select again", line_, in_quotes(text));
    return value;
  }

  const Bytes& file_;
  RunFolder& out_;
  std::uint64_t items_;
  std::uint64_t classes_;
  std::size_t width_ = 0;
  std::size_t line_ = 1;
};

using Kind = bool (nlohmann::json::*)() const;

/// A field may be missing, but not be something else.
void check_field(const nlohmann::json& object, const char* field, Kind is, const std::string& path,
                 const std::string& where, const char* kind) {
  const auto found = object.find(field);
  if (found != object.end() && !((*found).*is)())
    refuse_input(path, "{}/{} is not {}; {}", printable(where), field, kind, remedy);
}

/// The parts of a summary that readers rely on, by JSON pointer.
void check_summary(const nlohmann::json& summary, const std::string& path) {
  const auto need = [&](const char* pointer, Kind is, const char* kind) {
    const nlohmann::json::json_pointer at(pointer);
    if (!summary.contains(at) || !(summary.at(at).*is)())
      refuse_input(path, "{} is missing or no {}; {}", pointer, kind, remedy);
  };
  for (const char* pointer :
       {"/items", "/classes", "/budget/requested", "/budget/selected", "/budget/labelled"})
    need(pointer, &nlohmann::json::is_number_unsigned, "whole number");
  // Item has 32 bits, of which one number stands for none; so has a class.
  constexpr std::uint64_t most = UINT32_MAX - 1;
  for (const char* field : {"items", "classes"})
    if (const auto count = summary.at(field).get<std::uint64_t>(); count > most)
      refuse_input(path, "/{} is {}, more than the {} there can be; {}", field, count, most, remedy);
  need("/strategy", &nlohmann::json::is_string, "text");
  for (const char* pointer : {"/options", "/inputs", "/coverage", "/constraints"})
    need(pointer, &nlohmann::json::is_object, "object");
  for (const char* field : {"mean_uncertainty", "mean_uncertainty_of_all"})
    check_field(summary.at("coverage"), field, &nlohmann::json::is_number, path, "/coverage", "a number");
  for (const auto& [role, note] : summary.at("inputs").items()) {
    if (!note.is_object()) continue;
    for (const char* field : {"path", "checksum"})
      check_field(note, field, &nlohmann::json::is_string, path, "/inputs/" + role, "a text");
    check_field(note, "logits", &nlohmann::json::is_boolean, path, "/inputs/" + role, "true or false");
  }
  for (const char* kind : {"/constraints/class", "/constraints/boundary"}) {
    need(kind, &nlohmann::json::is_array, "list");
    for (const nlohmann::json& row : summary.at(nlohmann::json::json_pointer(kind)))
      for (const char* field : {"available", "labelled", "cap", "cap_requested", "selected"})
        if (!row.is_object() || !row.contains(field) || !row.at(field).is_number_integer())
          refuse_input(path, "a row of {} has no {}; {}", kind, field, remedy);
  }
  for (const nlohmann::json& row : summary.at("constraints").at("boundary")) {
    const auto pair = row.find("classes");
    if (pair == row.end() || !pair->is_array() || pair->size() != 2 || !(*pair)[0].is_number_unsigned() ||
        !(*pair)[1].is_number_unsigned())
      refuse_input(path, "a row of /constraints/boundary has no two classes; {}", remedy);
  }
}

RunFolder parse_run(const Bytes& summary, const Bytes& selection) {
  RunFolder run;
  run.summary = parse_json(summary.text(), 8, summary.name, "the file");
  check_summary(run.summary, summary.name);
  SelectionReader(selection, run).read();
  if (!run.measured || run.picks.empty()) return run;
  const auto objective = run.summary.find("objective");
  if (objective == run.summary.end() || !objective->is_object())
    refuse_input(summary.name, "/objective is missing or no object, but the picks have gains; {}", remedy);
  check_field(*objective, "uncertainty", &nlohmann::json::is_number, summary.name, "/objective", "a number");
  return run;
}

Bytes bytes_of(std::string text, const char* name) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  return {std::as_bytes(std::span(*owner)), owner, name};
}

}  // namespace

const nlohmann::json* RunFolder::input(const std::string& role) const {
  const nlohmann::json& inputs = summary.at("inputs");
  const auto found = inputs.find(role);
  return found != inputs.end() && found->is_object() && found->contains("path") ? &*found : nullptr;
}

bool folder_has(const std::string& folder, const std::string& name) {
  std::error_code ignored;
  return fs::exists(fs::path(folder) / name, ignored);
}

void require_folder(const std::string& path, const std::string& wanted) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) refuse(ErrorKind::io, path, "no such folder; {}", wanted);
  if (!fs::is_directory(path, ignored)) refuse(ErrorKind::io, path, "is not a folder; {}", wanted);
}

RunFolder read_run_folder(const std::string& path) {
  require_folder(path, remedy);
  for (const char* name : {"summary.json", "selection.csv", "indices.npy"})
    if (!folder_has(path, name)) refuse_input(path, "has no {}; {}", name, remedy);
  const auto file = [&](const char* name) { return map_file((fs::path(path) / name).string()); };
  RunFolder run = parse_run(file("summary.json"), file("selection.csv"));
  run.path = path;

  const std::vector<std::int64_t> indices = read_npy_integers(file("indices.npy"));
  const bool same = std::equal(indices.begin(), indices.end(), run.picks.begin(), run.picks.end(),
                               [](std::int64_t index, const PickRecord& pick) {
                                 return index == static_cast<std::int64_t>(pick.item);
                               });
  if (!same)
    refuse_input(path, "indices.npy and selection.csv do not belong together; run pith select again");
  return run;
}

RunFolder run_in_memory(const Selection& selection, std::span<const std::string> ids, const RunNotes& notes,
                        const Run& run) {
  return parse_run(bytes_of(summary_json(selection, notes), "summary"),
                   bytes_of(selection_csv(selection, ids, run), "selection"));
}

}  // namespace pith
