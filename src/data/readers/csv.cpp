#include "data/readers/csv.h"

#include <algorithm>
#include <array>
#include <cmath>
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

class CsvParser {
 public:
  CsvParser(const Bytes& file, char delimiter) : file_(file), records_(file, delimiter) {}

  Matrix parse() {
    std::vector<std::string_view> fields;
    if (!records_.next(fields)) refuse_input(file_.name, "empty file; at least one row of numbers is needed");
    cols_ = fields.size();
    if (std::any_of(fields.begin(), fields.end(),
                    [](std::string_view field) { return !parse_float(trimmed(field)); }))
      header_.assign(fields.begin(), fields.end());
    else
      append(fields);
    while (records_.next(fields)) append(fields);
    const std::size_t rows = values_.size() / cols_;
    if (rows == 0)
      refuse_input(file_.name, "no rows of numbers: its only line is {}",
                   header_.empty() ? "blank" : "a header");
    check_matrix_shape(file_.name, std::array{std::uint64_t{rows}, std::uint64_t{cols_}});
    return Matrix::of_floats(std::move(values_), rows, cols_, file_.name);
  }

 private:
  void append(const std::vector<std::string_view>& fields) {
    if (fields.size() != cols_)
      refuse_input(file_.name,
                   "line {}: expected {} columns, as on the first line, but found {}; every row must have "
                   "the same number",
                   records_.line(), cols_, fields.size());
    for (std::size_t col = 0; col < cols_; ++col) {
      const auto value = parse_float(trimmed(fields[col]));
      if (!value)
        refuse_input(file_.name, "line {}, {}: {} is not a number; remove the column or the row",
                     records_.line(), column_text(col), in_quotes(fields[col]));
      if (std::isinf(*value) && lower_case(fields[col]).find("inf") == std::string::npos)
        refuse_input(file_.name, "line {}, {}: {} is beyond the range of a 32-bit float; scale your data",
                     records_.line(), column_text(col), in_quotes(fields[col]));
      values_.push_back(*value);
    }
  }

  [[nodiscard]] std::string column_text(std::size_t col) const {
    return fmt::format("column {}{}", col + 1, header_.empty() ? "" : " (" + in_quotes(header_[col]) + ")");
  }

  const Bytes& file_;
  DelimitedReader records_;
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
