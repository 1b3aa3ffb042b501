#include "data/checks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "data/tiles.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/runs.h"

namespace pith {
namespace {

using namespace testing;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

TEST(Checks, CountsZeroVectorsAndTheFirst) {
  const Matrix matrix = Matrix::of_floats({1, 2, 0, 0, 3, 4, 0, -0.0F}, 4, 2, "e.npy");
  const EmbeddingStats stats = check_embeddings(matrix, {});
  EXPECT_EQ(stats.zero_vectors, 2U);
  EXPECT_EQ(stats.first_zero_vector, 1U);
  EXPECT_FALSE(stats.duplicates);
  EXPECT_FALSE(check_embeddings(Matrix::of_floats({1, 0}, 1, 2, "e.npy"), {}).first_zero_vector);
}

TEST(Checks, CountsRowsThatRepeatAnEarlierOne) {
  const Matrix matrix = Matrix::of_floats({1, 2, 0, 0, 1, 2, 0, -0.0F, 1, 2, 2, 1}, 6, 2, "e.npy");
  EXPECT_EQ(check_embeddings(matrix, {}, CountDuplicates::yes).duplicates, 3U);
  EXPECT_EQ(check_embeddings(Matrix::of_floats({1, 2}, 2, 1, "e"), {}, CountDuplicates::yes).duplicates, 0U);
}

TEST(Checks, DuplicatesAgreeWithASetOfRows) {
  std::vector<float> values;
  std::set<std::pair<float, float>> distinct;
  for (std::uint32_t i = 0; i < 200'000; ++i) {
    const auto hashed = i * 2654435761U;
    values.push_back(static_cast<float>(hashed >> 24));
    values.push_back(static_cast<float>(hashed >> 16 & 0x7fU));
    distinct.emplace(values[2 * i], values[2 * i + 1]);
  }
  const Matrix matrix = Matrix::of_floats(values, 200'000, 2, "e");
  for (const unsigned threads : {1U, 3U})
    EXPECT_EQ(check_embeddings(matrix, with_threads(threads), CountDuplicates::yes).duplicates,
              200'000 - distinct.size());
}

TEST(Checks, NonFiniteNumbersNameRowColumnValueAndRemedy) {
  expect_bad_input({"e.npy: row 1, column 2 (from 0): nan is not a finite number", "again"}, [] {
    (void)check_embeddings(Matrix::of_floats({1, 2, 3, 4, 5, nan, inf, 1, 1}, 3, 3, "e.npy"), {});
  });
  expect_bad_input({"row 0, column 0", "-inf"}, [] {
    (void)check_embeddings(Matrix::of_floats({-inf, nan}, 1, 2, "e.npy"), {});
  });
}

TEST(Checks, DoublesMustFitFloats) {
  const auto check = [](std::vector<double> values) {
    return [values] { (void)check_embeddings(matrix_of_doubles(values, 2, 2, "e.npy"), {}); };
  };
  expect_bad_input({"e.npy: row 1, column 0 (from 0): 1e+39 is beyond the range", "scale your embeddings"},
                   check({1, 2, 1e39, 4}));
  expect_bad_input({"row 1, column 1 (from 0): -1e-60", "zero", "scale your embeddings"},
                   check({1, 2, 0, -1e-60}));
  expect_bad_input({"row 0, column 1", "nan"}, check({1, std::nan(""), 1e39, 4}));
  EXPECT_NO_THROW(check({1, 1e-60, 0, 0})());
}

TEST(Checks, TheLowestRowIsReportedForAnyNumberOfThreads) {
  constexpr std::size_t rows = 300'000;
  std::vector<float> values(rows, 1.0F);
  for (std::size_t row = 70'001; row < rows; row += 1013) values[row] = nan;
  const Matrix matrix = Matrix::of_floats(std::move(values), rows, 1, "e.npy");
  for (int repeat = 0; repeat < 10; ++repeat)
    for (const unsigned threads : {1U, 2U, 5U})
      expect_bad_input({"row 70001, column 0"},
                       [&] { (void)check_embeddings(matrix, with_threads(threads)); });
}

TEST(Tiles, CoverEveryRowOnceAndReportProgress) {
  constexpr std::size_t rows = 200'000;
  const std::vector<float> values(rows * 3);
  const MatrixView view = MatrixView::of_floats(values.data(), rows, 3);
  std::vector<int> seen(rows);
  double last = 0;
  pith::Run run = with_threads(3);
  run.progress = [&](std::string_view stage, double done, double total) {
    EXPECT_EQ(stage, "stage");
    EXPECT_EQ(total, rows);
    EXPECT_GT(done, last);
    last = done;
  };
  for_each_tile(view, run, "stage", [&](std::size_t first, std::size_t count, unsigned) {
    EXPECT_LE(count, tile_rows(view));
    for (std::size_t row = first; row < first + count; ++row) ++seen[row];
  });
  EXPECT_EQ(seen, std::vector<int>(rows, 1));
  EXPECT_EQ(last, rows);
}

TEST(Tiles, CancellationAndOtherExceptionsPassThrough) {
  const std::vector<float> values(10);
  const MatrixView view = MatrixView::of_floats(values.data(), 10, 1);
  const std::atomic<bool> cancelled = true;
  const pith::Run run{.threads = 2, .progress = {}, .cancelled = &cancelled};
  expect_error(ErrorKind::interrupted, {}, [&] { for_each_tile(view, run, "", [](auto, auto, auto) {}); });
  EXPECT_THROW(for_each_tile(view, {}, "", [](auto, auto, auto) { throw std::logic_error("x"); }),
               std::logic_error);
}

}  // namespace
}  // namespace pith
