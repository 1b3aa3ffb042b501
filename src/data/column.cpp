#include "data/column.h"

#include <algorithm>
#include <cmath>

#include "data/delimited.h"
#include "data/mapped_file.h"
#include "data/readers/npy.h"
#include "data/readers/shape.h"
#include "data/refuse.h"
#include "data/text.h"

namespace pith {
namespace {

class ColumnParser {
 public:
  ColumnParser(const Bytes& file, const std::string& column, std::size_t items, ColumnRange range)
      : file_(file), column_(column), items_(items), range_(range) {}

  std::vector<double> parse() {
    const std::string extension = extension_of(file_.name);
    if (extension == ".npy")
      parse_npy();
    else if (extension == ".csv" || extension == ".tsv")
      parse_text();
    else
      refuse_unsupported(file_.name, "a column of numbers is read from .npy, .csv or .tsv; convert the file");
    if (values_.size() != items_)
      refuse_input(file_.name, "{} numbers for {} items; give one an item, in the order of the items",
                   values_.size(), items_);
    return std::move(values_);
  }

 private:
  void parse_npy() {
    if (!column_.empty())
      refuse(ErrorKind::bad_option, file_.name, "an .npy file has no named columns; leave {} out",
             in_quotes(column_));
    NpyHeader header = parse_npy_header(file_.data, file_.name);
    if (header.shape.size() == 2 && header.shape[1] == 1) header.shape.pop_back();
    if (header.shape.size() != 1)
      refuse_input(file_.name, "shape {} is no column: one number an item is needed; save {}",
                   shape_text(header.shape),
                   header.shape.size() == 2 && header.shape[0] > 1 ? "array[:, 0]" : "array.ravel()");
    if (header.kind == 'i' || header.kind == 'u') {
      for (const std::int64_t value : read_npy_integers(file_, header)) add("entry", values_.size(), value);
      return;
    }
    if (!is_float(header))
      refuse_unsupported(file_.name, "dtype {} is not supported; save array.astype('float64')",
                         in_quotes(header.descr));
    check_npy_size(header, file_.data.size(), file_.name);
    const auto item = static_cast<std::ptrdiff_t>(header.item_bytes);
    const MatrixView view{.data = file_.data.data() + header.data_offset,
                          .rows = header.shape[0],
                          .cols = 1,
                          .row_stride_bytes = item,
                          .col_stride_bytes = item,
                          .scalar = scalar_of(header),
                          .byte_swapped = header.byte_swapped};
    std::vector<double> read(view.rows);
    view.read_rows(0, view.rows, read.data());
    for (std::size_t at = 0; at < read.size(); ++at) add("entry", at, read[at]);
  }

  void parse_text() {
    DelimitedReader records(file_, delimiter_of(file_.name));
    std::vector<std::string_view> fields;
    if (!records.next(fields)) refuse_input(file_.name, "empty file; write one number an item");
    const std::size_t at = place_of_column(fields);
    const std::size_t columns = fields.size();
    // A column that was found by its name has one, be it a number as tables of other programs have them.
    const bool header = !column_.empty() || !parse_double(trimmed(fields[at]));
    if (header && column_.empty() && !looks_like_name(fields[at])) add_text(records.line(), fields[at]);
    bool more = !header || records.next(fields);
    for (; more; more = records.next(fields)) {
      if (fields.size() != columns)
        refuse_input(
            file_.name,
            "line {}: expected {} columns, as on the first line, but found {}; every row must have the "
            "same number, and decimals a point",
            records.line(), columns, fields.size());
      add_text(records.line(), fields[at]);
    }
  }

  [[nodiscard]] std::size_t place_of_column(const std::vector<std::string_view>& fields) const {
    std::vector<std::string> names;
    names.reserve(fields.size());
    for (const std::string_view field : fields) names.emplace_back(trimmed(field));
    if (column_.empty()) {
      if (fields.size() == 1) return 0;
      refuse_input(file_.name, "{} columns ({}); say which: {}:NAME", fields.size(), list_in_quotes(names),
                   printable(file_.name));
    }
    const auto found = std::find(names.begin(), names.end(), column_);
    if (found == names.end())
      refuse_input(file_.name, "no column {}; its first line has {}", in_quotes(column_),
                   list_in_quotes(names));
    return static_cast<std::size_t>(found - names.begin());
  }

  void add_text(std::size_t line, std::string_view text) {
    const auto value = parse_double(trimmed(text));
    if (!value)
      refuse_input(file_.name, "line {}: {} is not a number; write one number an item", line,
                   in_quotes(text));
    add("line", line, *value);
  }

  template <class Number>
  void add(const char* place, std::size_t at, Number number) {
    const auto value = static_cast<double>(number);
    const bool fits = std::isfinite(value) && (range_ == ColumnRange::positive ? value > 0 : value >= 0);
    if (!fits)
      refuse_input(file_.name, "{} {}: {} given; every number must be finite and {}", place, at, value,
                   range_ == ColumnRange::positive ? "above 0" : "at least 0");
    values_.push_back(value);
  }

  const Bytes& file_;
  const std::string& column_;
  std::size_t items_;
  ColumnRange range_;
  std::vector<double> values_;
};

}  // namespace

std::vector<double> parse_column(const Bytes& file, const std::string& column, std::size_t items,
                                 ColumnRange range) {
  return ColumnParser(file, column, items, range).parse();
}

std::pair<std::string, std::string> split_column(const std::string& path) {
  return split_after_extension(path, [](std::string_view extension) {
    return extension == ".csv" || extension == ".tsv" || extension == ".npy";
  });
}

std::vector<double> read_column(const std::string& path, std::size_t items, ColumnRange range) {
  const auto [file, column] = split_column(path);
  return parse_column(map_file(file), column, items, range);
}

}  // namespace pith
