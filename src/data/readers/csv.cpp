#include "data/readers/csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/delimited.h"
#include "data/mapped_file.h"
#include "data/readers/shape.h"
#include "data/refuse.h"
#include "data/text.h"

namespace pith {
namespace {

/// How tables write that there is no value.
bool means_nothing(std::string_view field) {
  constexpr std::array words = {"", "-", "?", "na", "n/a", "none", "null", "missing"};
  const std::string word = lower_case(trimmed(field));
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// 0, 1, 2, ...: the names a table without names gets for its columns or rows.
bool count_up(std::span<const std::string_view> fields) {
  for (std::size_t at = 0; at < fields.size(); ++at)
    if (parse_unsigned(trimmed(fields[at])) != at) return false;
  return true;
}

/// What separates the numbers of `field`, which should have been one; 0 if it does not look like several.
char other_delimiter(std::string_view field) {
  for (const char delimiter : {';', ',', '\t', '|', ' '}) {
    std::size_t numbers = 0;
    bool only_numbers = true;
    for (std::size_t begin = 0; begin <= field.size() && only_numbers;) {
      const std::size_t end = std::min(field.find(delimiter, begin), field.size());
      const std::string_view part = trimmed(field.substr(begin, end - begin));
      begin = end + 1;
      if (part.empty()) continue;
      only_numbers = parse_float(part).has_value();
      ++numbers;
    }
    if (only_numbers && numbers > 1) return delimiter;
  }
  return 0;
}

/// Whether a number has a digit that is not 0 before its exponent.
bool is_written_nonzero(std::string_view number) {
  return number.substr(0, number.find_first_of("eE")).find_first_of("123456789") != std::string_view::npos;
}

class CsvParser {
 public:
  CsvParser(const Bytes& file, char delimiter)
      : file_(file), records_(file, delimiter), delimiter_(delimiter) {}

  Matrix parse() {
    std::vector<std::string_view> fields;
    if (!records_.next(fields)) refuse_input(file_.name, "empty file; at least one row of numbers is needed");
    cols_ = fields.size();
    if (cols_ == 1) require_own_delimiter(fields[0]);
    if (cols_ > 2 && count_up(fields))
      refuse_input(file_.name,
                   "line 1 counts 0, 1, 2, ...: names of columns, not values; save without them (pandas: "
                   "header=False, index=False), or, if they are values, put a line of names above");
    if (is_header(fields))
      header_.assign(fields.begin(), fields.end());
    else
      append(fields);
    while (records_.next(fields)) append(fields);
    const std::size_t rows = values_.size() / cols_;
    if (rows == 0)
      refuse_input(file_.name, "no rows of numbers: its only line is {}",
                   header_.empty() ? "blank" : "a header");
    refuse_index(rows);
    check_matrix_shape(file_.name, std::array{std::uint64_t{rows}, std::uint64_t{cols_}});
    return Matrix::of_floats(std::move(values_), rows, cols_, file_.name);
  }

 private:
  /// A first line of names. One of numbers with some missing or mistyped is a row like any other.
  static bool is_header(const std::vector<std::string_view>& fields) {
    const auto is_number = [](std::string_view field) { return parse_float(trimmed(field)).has_value(); };
    const auto numbers = std::count_if(fields.begin(), fields.end(), is_number);
    if (numbers == std::ssize(fields)) return false;
    if (numbers == 0) return true;
    if (trimmed(fields[0]).empty() && count_up(std::span(fields).subspan(1))) return true;
    return std::any_of(fields.begin(), fields.end(), [&](std::string_view field) {
      return !is_number(field) && !means_nothing(field) && looks_like_name(trimmed(field));
    });
  }

  /// A column that numbers the rows would outweigh every dimension.
  void refuse_index(std::size_t rows) const {
    if (header_.empty() || rows < 2) return;
    const std::string name = lower_case(trimmed(header_[0]));
    if (!name.empty() && name != "index" && name != "id" && name != "unnamed: 0") return;
    for (std::size_t row = 0; row < rows; ++row)
      if (values_[row * cols_] != values_[0] + static_cast<float>(row)) return;
    refuse_input(file_.name,
                 "{} numbers the rows ({:g}, {:g}, ...) and is no value of theirs; save without it "
                 "(pandas: index=False)",
                 column_text(0), values_[0], values_[cols_]);
  }

  /// A file of one column may be one of several with something else between them.
  void require_own_delimiter(std::string_view field) const {
    const char found = other_delimiter(field);
    if (found == 0) return;
    const auto name_of = [](char delimiter) -> std::string {
      return delimiter == '\t' ? "tabs" : delimiter == ' ' ? "blanks" : fmt::format("'{}'", delimiter);
    };
    refuse_input(file_.name, "line {}: numbers are separated by {}, not by {}; save with delimiter={}",
                 records_.line(), name_of(found), name_of(delimiter_), delimiter_ == '\t' ? "'\\t'" : "','");
  }

  void append(const std::vector<std::string_view>& fields) {
    if (fields.size() != cols_)
      refuse_input(file_.name,
                   "line {}: expected {} columns, as on the first line, but found {}; every row must have "
                   "the same number",
                   records_.line(), cols_, fields.size());
    bool zero = true;
    bool vanishes = false;
    for (std::size_t col = 0; col < cols_; ++col) {
      const auto value = parse_float(trimmed(fields[col]));
      if (!value && cols_ == 1) require_own_delimiter(fields[col]);
      if (!value)
        refuse_input(file_.name, "line {}, {}: {} is not a number; remove the column or the row",
                     records_.line(), column_text(col), in_quotes(fields[col]));
      if (std::isinf(*value) && lower_case(fields[col]).find("inf") == std::string::npos)
        refuse_input(file_.name, "line {}, {}: {} is beyond the range of a 32-bit float; scale your data",
                     records_.line(), column_text(col), in_quotes(fields[col]));
      values_.push_back(*value);
      zero &= *value == 0;
      vanishes |= *value == 0 && is_written_nonzero(fields[col]);
    }
    if (zero && vanishes)
      refuse_input(
          file_.name,
          "line {}: its numbers are too small for 32-bit floats and would all become zero; scale your data",
          records_.line());
  }

  [[nodiscard]] std::string column_text(std::size_t col) const {
    return fmt::format("column {}{}", col + 1, header_.empty() ? "" : " (" + in_quotes(header_[col]) + ")");
  }

  const Bytes& file_;
  DelimitedReader records_;
  char delimiter_;
  std::size_t cols_ = 0;
  std::vector<std::string> header_;
  std::vector<float> values_;
};

}  // namespace

Matrix read_csv(const Bytes& file, char delimiter) {
  advise_sequential(file.data);
  return CsvParser(file, delimiter).parse();
}

}  // namespace pith
