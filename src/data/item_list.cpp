#include <string_view>
#include <unordered_map>

#include "data/delimited.h"
#include "data/lines.h"
#include "data/manifest.h"
#include "data/mapped_file.h"
#include "data/readers/npy.h"
#include "data/refuse.h"
#include "data/text.h"

namespace pith {
namespace {

/// What a column of items holds; `any`: ids where they are known, else indices.
enum class Naming { any, index, id };

/// Where in the file something stands: lines count from 1, entries of an array from 0.
struct Place {
  std::string_view word;
  std::size_t number = 0;

  [[nodiscard]] std::string text() const { return fmt::format("{} {}", word, number); }
};

class ItemListParser {
 public:
  ItemListParser(const Bytes& file, std::size_t n, std::span<const std::string> ids)
      : file_(file), n_(n), ids_(ids) {
    item_of_.reserve(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      item_of_.emplace(ids[i], static_cast<Item>(i));
      numbers_are_ids_ = numbers_are_ids_ || parse_unsigned(ids[i]).has_value();
    }
  }

  ItemList parse() {
    const std::string extension = extension_of(file_.name);
    if (extension == ".npy")
      parse_npy();
    else if (extension == ".csv" || extension == ".tsv")
      parse_columns();
    else
      parse_text();
    return std::move(out_);
  }

 private:
  void parse_npy() {
    const std::vector<std::int64_t> indices = read_npy_integers(file_);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const Place where{.word = "entry", .number = i};
      if (indices[i] < 0) refuse_range(where, std::to_string(indices[i]));
      add(where, index_of(where, static_cast<std::uint64_t>(indices[i])), std::nullopt);
    }
  }

  void parse_text() {
    LineReader lines(file_);
    std::string_view line;
    while (lines.next(line)) {
      const Place where{.word = "line", .number = lines.line()};
      add(where, find_item(where, line, Naming::any), std::nullopt);
    }
  }

  void parse_columns() {
    DelimitedReader records(file_, delimiter_of(file_.name));
    std::vector<std::string_view> fields;
    if (!records.next(fields)) return;
    Columns columns = read_header(fields);
    bool more = !columns.has_header || records.next(fields);
    maybe_header_ = !columns.has_header;
    for (; more; more = records.next(fields)) {
      const Place where{.word = "line", .number = records.line()};
      if (fields.size() > columns.count || columns.item >= fields.size())
        refuse_input(file_.name, "{}: expected {} columns but found {}; write index,label or id,label",
                     where.text(), columns.count, fields.size());
      const Item item = find_item(where, fields[columns.item], columns.naming);
      add(where, item,
          columns.label < fields.size() ? parse_label(where, fields[columns.label]) : std::nullopt);
      maybe_header_ = false;
    }
  }

  struct Columns {
    bool has_header = false;
    Naming naming = Naming::any;
    std::size_t item = 0;
    std::size_t label = 1;
    std::size_t count = 2;
  };

  /// A first row is a header if one of its fields is `index` or `id` and no item is called so.
  [[nodiscard]] Columns read_header(const std::vector<std::string_view>& fields) const {
    constexpr auto nowhere = static_cast<std::size_t>(-1);
    Columns named{
        .has_header = false, .naming = Naming::any, .item = 0, .label = nowhere, .count = fields.size()};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string name = lower_case(fields[i]);
      if (name == "label") named.label = i;
      if ((name != "index" && name != "id") || named.has_header || item_of_.contains(fields[i])) continue;
      named.has_header = true;
      named.item = i;
      named.naming = name == "id" ? Naming::id : Naming::index;
    }
    return named.has_header ? named : Columns{};
  }

  Item find_item(const Place& where, std::string_view text, Naming naming) const {
    if (trimmed(text).empty()) refuse_input(file_.name, "{} names no item; remove the line", where.text());
    const bool has_ids = !item_of_.empty();
    if (naming == Naming::id && !has_ids)
      refuse_input(file_.name, "{}: {} is an id, but the items have none; give their ids with --ids",
                   where.text(), in_quotes(text));
    if (has_ids && naming != Naming::index) {
      if (const auto found = item_of_.find(text); found != item_of_.end()) return found->second;
      if (const auto found = item_of_.find(trimmed(text)); found != item_of_.end()) return found->second;
    }
    const std::optional<std::uint64_t> index = parse_unsigned(trimmed(text));
    if (index && naming != Naming::id && (naming == Naming::index || !numbers_are_ids_))
      return index_of(where, *index);
    if (has_ids && naming != Naming::index)
      refuse_input(file_.name, "{}: {} is no item's id; check it against the ids given{}", where.text(),
                   in_quotes(text), about_header());
    if (is_whole_number(trimmed(text))) refuse_range(where, printable(trimmed(text)));
    refuse_input(file_.name, "{}: {} is not an item index (a whole number from 0){}{}", where.text(),
                 in_quotes(text),
                 has_ids ? "; call the column id" : "; to list items by id, give their ids with --ids",
                 about_header());
  }

  [[nodiscard]] const char* about_header() const {
    return maybe_header_ ? "; in a header, call the column of the items index or id" : "";
  }

  /// Negative, or too long for 64 bits: a number still, only out of range.
  static bool is_whole_number(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  }

  [[noreturn]] void refuse_range(const Place& where, std::string_view value) const {
    refuse_input(file_.name, "{}: item {} is out of range; there are {} items, counted from 0", where.text(),
                 value, n_);
  }

  [[nodiscard]] Item index_of(const Place& where, std::uint64_t index) const {
    if (index >= n_) refuse_range(where, std::to_string(index));
    return static_cast<Item>(index);
  }

  [[nodiscard]] std::optional<std::uint32_t> parse_label(const Place& where, std::string_view text) const {
    if (text.empty()) return std::nullopt;
    const std::optional<std::uint64_t> label = parse_unsigned(text);
    if (!label || *label >= UINT32_MAX)
      refuse_input(file_.name,
                   "{}: label {} is not a class number (a whole number from 0); number the classes as in "
                   "the probabilities",
                   where.text(), in_quotes(text));
    return static_cast<std::uint32_t>(*label);
  }

  void add(const Place& where, Item item, std::optional<std::uint32_t> label) {
    if (const auto [first, is_new] = place_of_.emplace(item, where); !is_new)
      refuse_input(file_.name, "{}: item {} was already listed on {}; list each item once", where.text(),
                   ids_.empty() ? std::to_string(item) : in_quotes(ids_[item]), first->second.text());
    out_.items.push_back(item);
    out_.labels.push_back(label);
  }

  const Bytes& file_;
  std::size_t n_;
  std::span<const std::string> ids_;
  std::unordered_map<std::string_view, Item> item_of_;
  bool numbers_are_ids_ = false;  ///< an id looks like a number, so a number that is no id is no index either
  std::unordered_map<Item, Place> place_of_;  ///< where each item was listed
  bool maybe_header_ = false;                 ///< the row is a table's first, and no header that is known
  ItemList out_;
};

}  // namespace

ItemList parse_item_list(const Bytes& file, std::size_t n, std::span<const std::string> ids) {
  return ItemListParser(file, n, ids).parse();
}

ItemList read_item_list(const std::string& path, std::size_t n, std::span<const std::string> ids) {
  return parse_item_list(map_file(path), n, ids);
}

}  // namespace pith
