#include "pith/predictions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pith/read.h"
#include "pith/select.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/runs.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using namespace testing;

Predictions predict(std::vector<double> values, std::size_t cols, bool logits = false,
                    UncertaintyKind kind = UncertaintyKind::margin) {
  const std::size_t rows = values.size() / cols;
  return read_predictions(matrix_of_doubles(std::move(values), rows, cols, "p.npy"), logits, kind);
}

TEST(Predictions, BestSecondAndMargin) {
  const Predictions p = predict({0.5, 0.25, 0.25, 0.125, 0.25, 0.625, 0, 1, 0}, 3);
  EXPECT_EQ(p.classes, 3U);
  EXPECT_EQ(p.best, (std::vector<std::uint32_t>{0, 2, 1}));
  EXPECT_EQ(p.second, (std::vector<std::uint32_t>{1, 1, 0}));
  EXPECT_EQ(p.margin, (std::vector<double>{0.75, 0.625, 0.0}));
  EXPECT_TRUE(p.other_uncertainty.empty());
  EXPECT_EQ(p.uncertainty().data(), p.margin.data());
}

TEST(Predictions, TiesGoToTheLowerClass) {
  const Predictions p =
      predict({0.25, 0.25, 0.25, 0.25, 0, 0.5, 0, 0.5, 0.2, 0.2, 0.4, 0.2, 0.5, 0, 0.5, 0}, 4);
  EXPECT_EQ(p.best, (std::vector<std::uint32_t>{0, 1, 2, 0}));
  EXPECT_EQ(p.second, (std::vector<std::uint32_t>{1, 3, 0, 2}));
  EXPECT_EQ(p.margin[0], 1.0);
}

TEST(Predictions, LeastConfidenceAndEntropy) {
  const std::vector<double> values = {0.5, 0.25, 0.25, 1, 0, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3};
  const Predictions least = predict(values, 3, false, UncertaintyKind::least_confidence);
  EXPECT_EQ(least.other_uncertainty[0], 0.5);
  EXPECT_EQ(least.other_uncertainty[1], 0.0);
  EXPECT_EQ(least.margin[0], 0.75);
  const Predictions entropy = predict(values, 3, false, UncertaintyKind::entropy);
  EXPECT_DOUBLE_EQ(entropy.other_uncertainty[0], 1.5 * std::log(2.0) / std::log(3.0));
  EXPECT_EQ(entropy.other_uncertainty[1], 0.0);
  EXPECT_NEAR(entropy.other_uncertainty[2], 1.0, 1e-15);
  EXPECT_LE(entropy.other_uncertainty[2], 1.0);
  EXPECT_EQ(entropy.uncertainty().data(), entropy.other_uncertainty.data());
}

TEST(Predictions, EqualEntropiesTieWhateverTheOrderOfTheClasses) {
  std::vector<double> values;
  std::vector<double> row = {0.0625, 0.125, 0.1875, 0.25, 0.375};
  do values.insert(values.end(), row.begin(), row.end());
  while (std::next_permutation(row.begin(), row.end()));
  const Predictions p = predict(values, row.size(), false, UncertaintyKind::entropy);
  for (const double u : p.uncertainty()) EXPECT_EQ(u, p.uncertainty()[0]);
}

TEST(Predictions, LogitsGoThroughAStableSoftmax) {
  const Predictions p =
      predict({std::log(1.0), std::log(2.0), std::log(5.0), 1000, 1000, -1000, -3e4, 3e4, -1e5}, 3, true,
              UncertaintyKind::least_confidence);
  EXPECT_EQ(p.best, (std::vector<std::uint32_t>{2, 0, 1}));
  EXPECT_EQ(p.second, (std::vector<std::uint32_t>{1, 1, 0}));
  EXPECT_NEAR(p.margin[0], 1 - (5.0 - 2.0) / 8, 1e-15);
  EXPECT_EQ(p.margin[1], 1.0);
  EXPECT_EQ(p.margin[2], 0.0);
  EXPECT_NEAR(p.other_uncertainty[0], 1 - 5.0 / 8, 1e-15);
}

TEST(Predictions, ResultsAreInTheUnitInterval) {
  for (const UncertaintyKind kind : {UncertaintyKind::entropy, UncertaintyKind::least_confidence}) {
    const Predictions p = predict({1.0009, 0, 0.5004, 0.5004}, 2, false, kind);
    EXPECT_EQ(p.margin, (std::vector<double>{0.0, 1.0}));
    for (const double u : p.other_uncertainty) EXPECT_TRUE(u >= 0 && u <= 1) << u;
  }
}

TEST(Predictions, BadNumbersNameRowColumnValueAndRemedy) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  expect_bad_input({"p.npy: row 1, column 0 (from 0): nan is not a finite number", "probabilities again"},
                   [] {
                     (void)predict({0.5, 0.5, std::nan(""), 1}, 2);
                   });
  expect_bad_input({"row 0, column 1", "inf", "logits again"}, [&] { (void)predict({0.5, inf}, 2, true); });
  expect_bad_input({"row 1, column 1 (from 0): -0.5 is negative", "--logits"}, [] {
    (void)predict({0.5, 0.5, 1.5, -0.5}, 2);
  });
}

TEST(Predictions, SumsMustBeOne) {
  expect_bad_input({"p.npy: row 1 (from 0) sums to 1.25, not 1", "--logits", "divide each row by its sum"},
                   [] {
                     (void)predict({0.5, 0.5, 0.75, 0.5}, 2);
                   });
}

TEST(Predictions, ToleranceFollowsTheType) {
  EXPECT_NO_THROW((void)predict({0.5, 0.5009}, 2));
  EXPECT_THROW((void)predict({0.5, 0.502}, 2), Error);
  const auto read = [](const Matrix& matrix) {
    return read_predictions(matrix, false, UncertaintyKind::margin);
  };
  EXPECT_THROW((void)read(Matrix::of_floats({0.5F, 0.502F}, 1, 2, "p.npy")), Error);
  EXPECT_NO_THROW((void)read(Matrix::of_floats({0.5F, 0.508F}, 1, 2, "p.csv")));
  EXPECT_NO_THROW((void)read(Matrix::of_floats({0.5F, 0.508F}, 1, 2, "p.TSV")));
  EXPECT_THROW((void)read(Matrix::of_floats({0.5F, 0.52F}, 1, 2, "p.csv")), Error);
  const TempDir dir;
  // 0.5 and 0.50830078125 as f16; 0.5 and 0.5078125 as bf16.
  const Matrix f16 =
      read_matrix(dir.write("p.npy", npy_file("<f2", "(1, 2)", std::string("\x00\x38\x11\x38", 4))));
  EXPECT_EQ(all_values(f16)[1], 0.50830078125);
  EXPECT_NO_THROW((void)read(f16));
  const Matrix bf16 = read_matrix(dir.write(
      "p.safetensors", safetensors_file(R"({"p":{"dtype":"BF16","shape":[1,2],"data_offsets":[0,4]}})",
                                        std::string("\x00\x3f\x02\x3f", 4))));
  EXPECT_EQ(all_values(bf16)[1], 0.5078125);
  EXPECT_NO_THROW((void)read(bf16));
}

TEST(Predictions, OneClassIsNotEnough) {
  expect_bad_input({"p.npy", "one class", "at least two"}, [] { (void)predict({1, 1}, 1); });
}

TEST(Predictions, AnyNumberOfThreadsGivesTheSame) {
  constexpr std::size_t rows = 50'000;
  constexpr std::size_t cols = 7;
  std::vector<float> logits(rows * cols);
  std::uint32_t state = 1;
  for (float& value : logits) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(state >> 28);
  }
  const auto read = [&](unsigned threads) {
    return read_predictions(Matrix::of_floats(logits, rows, cols, "p.npy"), true, UncertaintyKind::entropy,
                            with_threads(threads));
  };
  const Predictions one = read(1);
  for (const unsigned threads : {2U, 5U}) {
    const Predictions many = read(threads);
    EXPECT_EQ(one.best, many.best);
    EXPECT_EQ(one.second, many.second);
    EXPECT_EQ(one.margin, many.margin);
    EXPECT_EQ(one.other_uncertainty, many.other_uncertainty);
  }
}

TEST(Predictions, TheLowestRowIsReportedForAnyNumberOfThreads) {
  constexpr std::size_t rows = 200'000;
  std::vector<float> values(rows * 2, 0.5F);
  for (std::size_t row = 90'000; row < rows; row += 997) values[2 * row] = 0.75F;
  for (const unsigned threads : {1U, 2U, 5U})
    expect_bad_input({"row 90000 (from 0) sums to 1.25"}, [&] {
      (void)read_predictions(Matrix::of_floats(values, rows, 2, "p.npy"), false, UncertaintyKind::margin,
                             with_threads(threads));
    });
}

TEST(Predictions, FurtherClassesAreRankedByLogitsThatASoftmaxCannotTellApart) {
  const Predictions p = read_predictions(Matrix::of_floats({0, 0, -800, -750}, 1, 4, "p.npy"), true,
                                         UncertaintyKind::margin, {}, 2);
  EXPECT_EQ(p.further_class, (std::vector<std::uint32_t>{3}));
}

TEST(Predictions, TheyKnowWhichUncertaintyTheyHold) {
  const auto read = [](UncertaintyKind kind) {
    return read_predictions(Matrix::of_floats({0.5F, 0.5F}, 1, 2, "p.npy"), false, kind);
  };
  EXPECT_EQ(read(UncertaintyKind::margin).kind, UncertaintyKind::margin);
  SelectInput input;
  input.predictions = read(UncertaintyKind::margin);
  SelectOptions options;
  options.strategy = "entropy";
  options.measure = false;
  options.budget.amount = std::int64_t{1};
  expect_bad_input({"another kind of uncertainty", "effective_options"},
                   [&] { (void)select(input, options); });
  input.predictions = read(UncertaintyKind::entropy);
  EXPECT_EQ(select(input, options).picks.size(), 1U);
}

}  // namespace
}  // namespace pith
