// The data layer against slow, obvious twins, on random inputs full of ties, quotes and odd sizes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <numeric>

#include "data/delimited.h"
#include "data/readers/npy.h"
#include "pith/predictions.h"
#include "support/files.h"

namespace pith {
namespace {

using namespace testing;

std::string in_csv_quotes(const std::string& field) {
  std::string out(1, '"');
  for (const char c : field) {
    if (c == '"') out += c;
    out += c;
  }
  out += '"';
  return out;
}

TEST(DataProperty, QuotedFieldsComeBackAsTheyWere) {
  const auto field = rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\",\n\r\t 1")));
  EXPECT_TRUE(rc::check([&] {
    const auto rows = *rc::gen::container<std::vector<std::vector<std::string>>>(
        rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(field)));
    const char delimiter = *rc::gen::element(',', '\t');
    const std::string line_end = *rc::gen::element<std::string>("\n", "\r\n");
    std::string text;
    for (const auto& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) text += delimiter;
        text += in_csv_quotes(row[i]);
      }
      text += line_end;
    }
    const Bytes file = bytes_of_text(text, "x");
    DelimitedReader reader(file, delimiter);
    std::vector<std::string_view> fields;
    for (const auto& row : rows) {
      RC_ASSERT(reader.next(fields));
      RC_ASSERT(std::vector<std::string>(fields.begin(), fields.end()) == row);
    }
    RC_ASSERT(!reader.next(fields));
  }));
}

TEST(DataProperty, NpyInEveryLayoutHoldsTheSameNumbers) {
  EXPECT_TRUE(rc::check([] {
    const auto rows = *rc::gen::inRange<std::size_t>(1, 9);
    const auto cols = *rc::gen::inRange<std::size_t>(1, 9);
    const bool fortran = *rc::gen::arbitrary<bool>();
    const bool big = *rc::gen::arbitrary<bool>();
    const std::size_t width = *rc::gen::element(4, 8);
    const auto values = *rc::gen::container<std::vector<int>>(rows * cols, rc::gen::inRange(-1000, 1000));
    std::string data;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const int value = fortran ? values[i % rows * cols + i / rows] : values[i];
      std::string element = width == 4 ? raw(std::vector<float>{static_cast<float>(value)})
                                       : raw(std::vector<double>{static_cast<double>(value)});
      if (big) std::reverse(element.begin(), element.end());
      data += element;
    }
    const std::string shape = fmt::format("({}, {})", rows, cols);
    const std::string file =
        npy_file(fmt::format("{}f{}", big ? ">" : "<", width), shape, data, fortran ? "True" : "False");
    const Matrix matrix = read_npy(bytes_of_text(file, "x.npy"));
    RC_ASSERT(all_values(matrix) == std::vector<double>(values.begin(), values.end()));
  }));
}

TEST(DataProperty, PredictionsVsSorting) {
  EXPECT_TRUE(rc::check([] {
    const auto cols = *rc::gen::inRange<std::size_t>(2, 7);
    const auto rows = *rc::gen::inRange<std::size_t>(1, 20);
    auto weights = *rc::gen::container<std::vector<int>>(rows * cols, rc::gen::inRange(0, 4));
    std::vector<double> values(weights.size());
    for (std::size_t row = 0; row < rows; ++row) {
      weights[row * cols] += 1;
      const int sum = std::accumulate(weights.begin() + static_cast<std::ptrdiff_t>(row * cols),
                                      weights.begin() + static_cast<std::ptrdiff_t>((row + 1) * cols), 0);
      for (std::size_t col = 0; col < cols; ++col)
        values[row * cols + col] = weights[row * cols + col] / double(sum);
    }
    const Predictions read = read_predictions(matrix_of_doubles(values, rows, cols, "p.npy"), false,
                                              UncertaintyKind::least_confidence);
    for (std::size_t row = 0; row < rows; ++row) {
      const double* p = values.data() + row * cols;
      std::vector<std::uint32_t> order(cols);
      std::iota(order.begin(), order.end(), 0U);
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return p[a] > p[b]; });
      RC_ASSERT(read.best[row] == order[0]);
      RC_ASSERT(read.second[row] == order[1]);
      RC_ASSERT(read.margin[row] == 1.0 - (p[order[0]] - p[order[1]]));
      RC_ASSERT(read.other_uncertainty[row] == 1.0 - p[order[0]]);
    }
  }));
}

}  // namespace
}  // namespace pith
