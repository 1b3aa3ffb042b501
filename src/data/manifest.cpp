#include "data/manifest.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include "data/delimited.h"
#include "data/json.h"
#include "data/lines.h"
#include "data/mapped_file.h"
#include "data/refuse.h"
#include "data/shards.h"
#include "data/text.h"

namespace pith {
namespace {

/// Names of the column or key that holds the id; earlier ones are preferred.
constexpr std::array<std::string_view, 6> id_names = {"id", "path", "file", "filename", "image", "name"};
constexpr int deepest_json = 16;

/// Ids as read, each with the line it came from.
struct Lines {
  std::vector<std::string> ids;
  std::vector<std::size_t> lines;

  void add(std::string id, std::size_t line) {
    ids.push_back(std::move(id));
    lines.push_back(line);
  }
};

std::optional<std::size_t> find_id_column(const std::vector<std::string_view>& fields) {
  for (const std::string_view name : id_names)
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (lower_case(fields[i]) == name) return i;
  return std::nullopt;
}

Lines read_columns(const Bytes& file) {
  Lines out;
  DelimitedReader records(file, delimiter_of(file.name));
  std::vector<std::string_view> fields;
  if (!records.next(fields)) return out;
  const std::size_t expected = fields.size();
  const std::optional<std::size_t> named = find_id_column(fields);
  const std::size_t column = named.value_or(0);
  if (!named) out.add(std::string(fields[column]), records.line());
  while (records.next(fields)) {
    if (fields.size() != expected)
      refuse_input(file.name,
                   "line {}: expected {} columns, as on the first line, but found {}; quote fields that "
                   "hold the delimiter",
                   records.line(), expected, fields.size());
    out.add(std::string(fields[column]), records.line());
  }
  return out;
}

std::string json_id(const Bytes& file, std::size_t line, const nlohmann::json& value) {
  const nlohmann::json* id = &value;
  if (value.is_object()) {
    const auto* const name = std::find_if(id_names.begin(), id_names.end(),
                                          [&](std::string_view key) { return value.contains(key); });
    if (name == id_names.end())
      refuse_input(file.name,
                   "line {}: the object has none of the keys id, path, file, filename, image, name; add one",
                   line);
    id = &value[std::string(*name)];
  }
  if (id->is_number_integer()) return id->dump();
  if (!id->is_string())
    refuse_input(file.name, "line {}: the id is neither text nor a whole number; write it as a JSON string",
                 line);
  return id->get<std::string>();
}

Lines read_json_lines(const Bytes& file) {
  Lines out;
  LineReader lines(file);
  std::string_view line;
  while (lines.next(line)) {
    const std::string where = fmt::format("line {}", lines.line());
    if (trimmed(line).empty()) refuse_input(file.name, "{} is blank but others follow it; remove it", where);
    out.add(json_id(file, lines.line(), parse_json(line, deepest_json, file.name, where)), lines.line());
  }
  return out;
}

Lines read_text(const Bytes& file) {
  Lines out;
  LineReader lines(file);
  std::string_view line;
  while (lines.next(line)) out.add(std::string(line), lines.line());
  return out;
}

/// What errors call a name, and whose it is.
struct Called {
  const char* name = "id";
  const char* whose = "item";
  const char* counted = "line";  ///< what an error counts
};

/// Names end up in text, JSON and HTML, one a line: what would break these is refused here.
/// `at`: line or item, as `called.counted` says.
void check_name(const std::string& source, std::string_view id, std::size_t at, const Called& called) {
  if (trimmed(id).empty())
    refuse_input(source, "{} {}: the {} is empty; every {} needs one", called.counted, at, called.name,
                 called.whose);
  for (std::string_view rest = id; !rest.empty();) {
    const std::size_t bytes = utf8_sequence_bytes(rest);
    if (bytes == 0)
      refuse_input(source, "{} {}: {} {} is not UTF-8 text; convert it to UTF-8", called.counted, at,
                   called.name, in_quotes(id));
    if (starts_with_control(rest))
      refuse_input(source, "{} {}: {} {} holds a control character; remove it", called.counted, at,
                   called.name, in_quotes(id));
    rest.remove_prefix(bytes);
  }
}

Lines read_lines(const Bytes& file, const Called& called = {}) {
  const std::string extension = extension_of(file.name);
  Lines read = extension == ".csv" || extension == ".tsv"        ? read_columns(file)
               : extension == ".jsonl" || extension == ".ndjson" ? read_json_lines(file)
                                                                 : read_text(file);
  for (std::size_t i = 0; i < read.ids.size(); ++i) check_name(file.name, read.ids[i], read.lines[i], called);
  return read;
}

void check_unique(const Bytes& file, const Lines& read, const Called& called = {}) {
  std::unordered_map<std::string_view, std::size_t> line_of;
  line_of.reserve(read.ids.size());
  for (std::size_t i = 0; i < read.ids.size(); ++i)
    if (const auto [first, is_new] = line_of.emplace(read.ids[i], read.lines[i]); !is_new)
      refuse_input(file.name, "lines {} and {} have the same {}, {}; {}s must be unique", first->second,
                   read.lines[i], called.name, in_quotes(read.ids[i]), called.name);
}

/// Ids of shards, one after the other; where they lie, for what must be unique among all of them.
std::vector<std::string> read_sharded_ids(const std::string& pattern, std::size_t expected_rows) {
  const std::vector<std::string> files = find_shards(pattern);
  std::vector<std::string> ids;
  std::vector<std::size_t> ends;
  for (const std::string& name : files) {
    const Bytes file = map_file(name);
    advise_sequential(file.data);
    Lines read = read_lines(file);
    check_unique(file, read);
    std::move(read.ids.begin(), read.ids.end(), std::back_inserter(ids));
    ends.push_back(ids.size());
  }
  if (ids.size() != expected_rows)
    refuse_input(pattern, "{} ids in {} files for {} items; give one id per row of the embeddings",
                 ids.size(), files.size(), expected_rows);
  const auto file_of = [&](std::size_t item) -> const std::string& {
    return files[static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), item) - ends.begin())];
  };
  std::unordered_map<std::string_view, std::size_t> first_with;
  first_with.reserve(ids.size());
  for (std::size_t item = 0; item < ids.size(); ++item)
    if (const auto [first, is_new] = first_with.emplace(ids[item], item); !is_new)
      refuse_input(file_of(item), "id {} stands in {} already; ids must be unique", in_quotes(ids[item]),
                   file_of(first->second));
  return ids;
}

}  // namespace

void require_ids(std::span<const std::string> ids) {
  const Called called{.counted = "item"};
  std::unordered_map<std::string_view, std::size_t> first_with;
  first_with.reserve(ids.size());
  for (std::size_t item = 0; item < ids.size(); ++item) {
    check_name("ids", ids[item], item, called);
    if (const auto [first, is_new] = first_with.emplace(ids[item], item); !is_new)
      refuse_input("ids", "items {} and {} have the same id, {}; ids must be unique", first->second, item,
                   in_quotes(ids[item]));
  }
}

std::uint64_t bytes_held_by(std::span<const std::string> ids) {
  constexpr std::uint64_t header = sizeof(std::string);
  std::uint64_t bytes = header * ids.size();
  for (const std::string& id : ids)  // short ones lie within their header
    if (id.capacity() >= header / 2) bytes += id.capacity() + 16;
  return bytes;
}

std::vector<std::string> parse_ids(const Bytes& file, std::size_t expected_rows) {
  Lines read = read_lines(file);
  if (read.ids.size() != expected_rows)
    refuse_input(file.name, "{} ids for {} items; give one id per row of the embeddings{}", read.ids.size(),
                 expected_rows,
                 read.ids.size() == expected_rows + 1
                     ? fmt::format(" (is the first line, {}, a header? {})", in_quotes(read.ids.front()),
                                   extension_of(file.name) == ".csv" || extension_of(file.name) == ".tsv"
                                       ? "name its column id"
                                       : "remove it")
                     : "");
  check_unique(file, read);
  return std::move(read.ids);
}

std::vector<std::string> read_class_names(const std::string& path, std::optional<std::size_t> classes) {
  constexpr Called called{.name = "name", .whose = "class"};
  const Bytes file = map_file(path);
  Lines read = read_lines(file, called);
  if (classes && read.ids.size() != *classes)
    refuse_input(file.name,
                 "{} names for {} classes; give one a line, in the order of the probabilities' columns",
                 read.ids.size(), *classes);
  check_unique(file, read, called);
  return std::move(read.ids);
}

std::vector<std::string> read_ids(const std::string& path, std::size_t expected_rows) {
  if (is_pattern(path)) return read_sharded_ids(path, expected_rows);
  const Bytes file = map_file(path);
  advise_sequential(file.data);
  return parse_ids(file, expected_rows);
}

}  // namespace pith
