#include "handover/import.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "base/suggest.h"
#include "data/delimited.h"
#include "data/json.h"
#include "data/mapped_file.h"
#include "data/refuse.h"

namespace pith {
namespace {

using Json = nlohmann::json;

/// What a file says of one item, before it is understood.
struct RawLabel {
  std::string place;  ///< "task 3", "line 12"
  std::optional<std::uint64_t> index = {};
  std::string id = {};
  bool id_is_bare = false;            ///< read from a field into which export writes no prefix
  std::set<std::string> labels = {};  ///< none: nobody labelled it; several: people disagree
};

bool all_by_index(const std::vector<LabelledItem>& labelled) {
  return std::all_of(labelled.begin(), labelled.end(),
                     [](const LabelledItem& item) { return item.item.has_value(); });
}

class LabelParser {
 public:
  LabelParser(const Bytes& file, const ImportOptions& options) : file_(file), options_(options) {
    for (std::uint32_t label = 0; label < options.classes.size(); ++label)
      class_of_.emplace(options.classes[label], label);
    numbers_are_names_ =
        std::any_of(options.classes.begin(), options.classes.end(),
                    [](const std::string& name) { return parse_unsigned(name).has_value(); });
    for (const auto& [id, item] : options.ids) {
      item_of_.emplace(id, item);
      id_of_.emplace(item, id);
    }
  }

  Imported parse() {
    const std::string extension = extension_of(file_.name);
    if (extension == ".csv" || extension == ".tsv")
      read_table();
    else if (extension == ".json")
      read_tasks();
    else
      refuse_unsupported(file_.name,
                         "labels are read from .json (Label Studio), .csv or .tsv; export one of them");
    leave_out_disputed();
    if (!all_by_index(out_.labelled))
      for (const LabelledItem& item : out_.labelled)
        if (item.id.empty())
          refuse_input(file_.name,
                       "some items go by index and others by id; say which run they belong to: --run DIR");
    return std::move(out_);
  }

 private:
  // --- tables ---

  void read_table() {
    DelimitedReader records(file_, delimiter_of(file_.name));
    std::vector<std::string_view> fields;
    if (!records.next(fields)) refuse_input(file_.name, "is empty; export the labels again");
    const auto find = [&](std::initializer_list<std::string_view> names) -> std::optional<std::size_t> {
      for (const std::string_view name : names)
        for (std::size_t at = 0; at < fields.size(); ++at)
          if (lower_case(fields[at]) == name) return at;
      return std::nullopt;
    };
    const auto index = find({"index", "pith_index"});
    // Beside columns of ours, "id" is the labelling tool's own number of the task.
    const auto own = find({"pith_index", "pith_id"}) ? std::nullopt : find({"id"});
    const auto id = own ? own : find({"pith_id", "path", "file", "filename", "image", "name"});
    const auto label = find({"label", "choice", lower_case(options_.from_name)});
    if (!index && !id)
      refuse_input(file_.name, "line 1: no column says which item a row is; name one index, id or path");
    if (!label) refuse_input(file_.name, "line 1: no column is named label; name the one that holds it so");
    const std::vector<std::string> columns(fields.begin(), fields.end());
    const bool bare = own || (id && lower_case(columns[*id]) == "pith_id");
    while (records.next(fields)) {
      RawLabel raw{.place = fmt::format("line {}", records.line())};
      if (fields.size() != columns.size())
        refuse_input(file_.name, "{}: {} fields where the header has {}; quote fields with commas", raw.place,
                     fields.size(), columns.size());
      if (index) {
        raw.index = parse_unsigned(fields[*index]);
        if (!raw.index)
          refuse_input(file_.name, "{}: index {} is not a whole number from 0", raw.place,
                       in_quotes(fields[*index]));
      }
      if (id) raw.id = std::string(fields[*id]);
      raw.id_is_bare = bare;
      if (!fields[*label].empty()) raw.labels.insert(std::string(fields[*label]));
      if (!raw.labels.empty() && !raw.index && raw.id.empty())
        refuse_input(file_.name, "{} has a label and names no item; fill in its {} or remove the line",
                     raw.place, columns[*id]);
      add(raw);
    }
  }

  // --- Label Studio ---

  void read_tasks() {
    const Json tasks = parse_json(file_.text(), 32, file_.name, "the file");
    if (!tasks.is_array())
      refuse_input(file_.name, "is no list of tasks; export JSON or JSON-MIN from Label Studio");
    for (std::size_t at = 0; at < tasks.size(); ++at) {
      const Json& task = tasks[at];
      RawLabel raw{.place = fmt::format("task {}", at + 1)};
      if (!task.is_object()) refuse_input(file_.name, "{} is no object; export the labels again", raw.place);
      const bool whole = task.contains("data") && task.at("data").is_object();
      const Json& data = whole ? task.at("data") : task;
      read_item(data, raw);
      if (whole)
        read_annotations(task, raw);
      else if (const auto found = task.find(options_.from_name); found != task.end())
        read_choice(*found, raw);
      add(raw);
    }
  }

  void read_item(const Json& data, RawLabel& raw) const {
    const std::string own_key = "pith_id";
    if (const auto index = data.find("pith_index"); index != data.end()) {
      if (index->is_number_unsigned())
        raw.index = index->get<std::uint64_t>();
      else if (index->is_string())
        raw.index = parse_unsigned(index->get<std::string>());
      if (!raw.index)
        refuse_input(file_.name, "{}: pith_index {} is not a whole number from 0", raw.place, index->dump());
    }
    for (const std::string& key : {own_key, options_.data_key})
      if (const auto id = data.find(key); raw.id.empty() && id != data.end() && id->is_string()) {
        raw.id = id->get<std::string>();
        raw.id_is_bare = key == own_key;
      }
    if (!raw.index && raw.id.empty())
      refuse_input(file_.name, "{} has neither pith_index nor {}; say what holds the path: --data-key NAME",
                   raw.place, in_quotes(options_.data_key));
  }

  /// All annotations but those that were skipped.
  void read_annotations(const Json& task, RawLabel& raw) const {
    const auto annotations = task.find("annotations");
    if (annotations == task.end() || !annotations->is_array()) return;
    for (const Json& annotation : *annotations) {
      if (!annotation.is_object()) continue;
      if (const auto cancelled = annotation.find("was_cancelled");
          cancelled != annotation.end() && cancelled->is_boolean() && cancelled->get<bool>())
        continue;
      const auto result = annotation.find("result");
      if (result == annotation.end() || !result->is_array()) continue;
      for (const Json& part : *result) {
        if (!part.is_object() || !part.contains("value")) continue;
        const auto name = part.find("from_name");
        if (name != part.end() && name->is_string() && name->get<std::string>() != options_.from_name)
          continue;
        read_choice(part.at("value"), raw);
      }
    }
  }

  /// "cat", ["cat"] or {"choices": ["cat"]}. Two choices of one person disagree as two people do.
  void read_choice(const Json& value, RawLabel& raw) const {
    if (value.is_string()) {
      if (!value.get<std::string>().empty()) raw.labels.insert(value.get<std::string>());
    } else if (value.is_number_unsigned()) {
      raw.labels.insert(value.dump());
    } else if (value.is_array()) {
      for (const Json& one : value) read_choice(one, raw);
    } else if (value.is_object() && value.contains("choices")) {
      read_choice(value.at("choices"), raw);
    }
  }

  // --- both ---

  void add(const RawLabel& raw) {
    if (raw.labels.empty()) {
      ++out_.without_label;
      return;
    }
    std::set<std::uint32_t> labels;
    for (const std::string& label : raw.labels) labels.insert(class_number(raw, label));
    LabelledItem item{.item = {}, .id = raw.id, .label = *labels.begin()};
    if (!raw.id_is_bare && item.id.starts_with(options_.prefix)) item.id.erase(0, options_.prefix.size());
    item.item = index_of(raw, item.id);
    const std::string key = key_of(item);
    if (labels.size() > 1) {
      disagree(raw, key,
               fmt::format("has the labels {}", in_quotes(fmt::format("{}", fmt::join(raw.labels, "', '")))));
      return;
    }
    const auto [before, is_new] = place_of_.emplace(key, out_.labelled.size());
    if (is_new) {
      out_.labelled.push_back(std::move(item));
    } else if (out_.labelled[before->second].label != item.label) {
      disagree(raw, key,
               fmt::format("labels an item that was class {} before as {}",
                           out_.labelled[before->second].label, item.label));
    }
  }

  static std::string key_of(const LabelledItem& item) {
    return item.item ? fmt::format("#{}", *item.item) : item.id;
  }

  void disagree(const RawLabel& raw, const std::string& key, const std::string& what) {
    if (options_.conflict == Conflict::error)
      refuse_input(file_.name, "{} {}; settle it, or say --conflict skip", raw.place, what);
    disputed_.insert(key);
  }

  /// Whatever else the file says of them, before or after.
  void leave_out_disputed() {
    std::erase_if(out_.labelled, [&](const LabelledItem& item) { return disputed_.contains(key_of(item)); });
    out_.conflicting = disputed_.size();
  }

  std::uint32_t class_number(const RawLabel& raw, const std::string& label) const {
    if (const auto found = class_of_.find(label); found != class_of_.end()) return found->second;
    // Where names are numbers themselves, a number that is no name would be read by another rule than its
    // neighbours.
    const auto number = numbers_are_names_ ? std::nullopt : parse_unsigned(label);
    const std::uint64_t count = options_.class_count.value_or(
        class_of_.empty() ? UINT32_MAX : static_cast<std::uint32_t>(class_of_.size()));
    if (number && *number < count) return static_cast<std::uint32_t>(*number);
    if (number)
      refuse_input(file_.name, "{}: class {} is out of range; there are {} classes, counted from 0",
                   raw.place, *number, count);
    if (class_of_.empty())
      refuse_input(file_.name,
                   "{}: label {} is no class number; give the classes' names with --class-names FILE",
                   raw.place, in_quotes(label));
    std::vector<std::string_view> names(options_.classes.begin(), options_.classes.end());
    const std::string nearest = nearest_word(label, names);
    refuse_input(file_.name, "{}: label {} is no class{}; check it against the names given", raw.place,
                 in_quotes(label), nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest));
  }

  /// Where a label tells both index and id, they must be of one item, as far as ids are known.
  void require_same_item(const RawLabel& raw, Item item, const std::string& id) const {
    if (id.empty()) return;
    const auto own = id_of_.find(item);
    const auto other = item_of_.find(id);
    if ((own == id_of_.end() || own->second == id) && (other == item_of_.end() || other->second == item))
      return;
    refuse_input(file_.name, "{}: index {} and id {} are two items, {}; do the labels belong to this run?",
                 raw.place, item, in_quotes(id),
                 own != id_of_.end() ? fmt::format("item {} is {}", item, in_quotes(own->second))
                                     : fmt::format("{} is item {}", in_quotes(id), other->second));
  }

  std::optional<Item> index_of(const RawLabel& raw, const std::string& id) const {
    if (raw.index) {
      if (*raw.index >= options_.items.value_or(UINT32_MAX))
        refuse_input(file_.name, "{}: item {} is out of range; there are {} items, counted from 0", raw.place,
                     *raw.index, options_.items.value_or(UINT32_MAX));
      const auto item = static_cast<Item>(*raw.index);
      require_same_item(raw, item, id);
      return item;
    }
    if (item_of_.empty()) return std::nullopt;
    const auto found = item_of_.find(id);
    if (found == item_of_.end())
      refuse_input(file_.name,
                   "{}: {} is no known item; check --prefix, and that the labels belong to this run",
                   raw.place, in_quotes(id));
    return found->second;
  }

  const Bytes& file_;
  const ImportOptions& options_;
  std::unordered_map<std::string, std::uint32_t> class_of_;
  bool numbers_are_names_ = false;
  std::unordered_map<std::string, Item> item_of_;
  std::unordered_map<Item, std::string> id_of_;
  std::unordered_map<std::string, std::size_t> place_of_;
  std::set<std::string> disputed_;  ///< keys of items that were labelled in two ways
  Imported out_;
};

}  // namespace

Imported parse_labels(const Bytes& file, const ImportOptions& options) {
  return LabelParser(file, options).parse();
}

Imported import_labels(const std::string& path, const ImportOptions& options) {
  return parse_labels(map_file(path), options);
}

std::string labelled_csv(const std::vector<LabelledItem>& labelled) {
  const bool by_index = all_by_index(labelled);
  std::string out = by_index ? "index,label\n" : "id,label\n";
  for (const LabelledItem& item : labelled)
    out += fmt::format("{},{}\n", by_index ? std::to_string(*item.item) : csv_field(item.id), item.label);
  return out;
}

std::string labelled_txt(const std::vector<LabelledItem>& labelled) {
  const bool by_index = all_by_index(labelled);
  std::string out;
  for (const LabelledItem& item : labelled) out += (by_index ? std::to_string(*item.item) : item.id) + "\n";
  return out;
}

}  // namespace pith
