#include "data/shards.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include "base/gather.h"
#include "data/checks.h"
#include "data/join_rows.h"
#include "graph/rows.h"
#include "pith/graph.h"
#include "pith/read.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using testing::all_floats;
using testing::all_values;
using testing::expect_bad_input;
using testing::expect_error;
using testing::npy_f4;
using testing::npy_file;
using testing::raw;
using testing::TempDir;

/// Columns first and in the other byte order, the values of `rows` x 2.
Matrix odd_matrix(const std::vector<float>& values, const std::string& source) {
  const std::size_t rows = values.size() / 2;
  auto swapped = std::make_shared<std::vector<std::uint32_t>>();
  for (std::size_t col = 0; col < 2; ++col)
    for (std::size_t row = 0; row < rows; ++row)
      swapped->push_back(__builtin_bswap32(std::bit_cast<std::uint32_t>(values[2 * row + col])));
  return {.view = {.data = reinterpret_cast<const std::byte*>(swapped->data()),
                   .rows = rows,
                   .cols = 2,
                   .row_stride_bytes = 4,
                   .col_stride_bytes = static_cast<std::ptrdiff_t>(4 * rows),
                   .scalar = Scalar::f32,
                   .byte_swapped = true},
          .owner = swapped,
          .source = source};
}

TEST(natural_order, compares_digits_as_numbers) {
  const std::vector<std::string> sorted = {
      "a",     "a/2",      "a/10",     "a00b",      "a0b",
      "a1b",   "a2",       "a10",      "a10b",      "a18446744073709551616",
      "part-", "part-0.x", "part-9.x", "part-10.x", "part-010.y"};
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = 0; j < sorted.size(); ++j)
      EXPECT_EQ(comes_before(sorted[i], sorted[j]), i < j) << sorted[i] << " " << sorted[j];
}

TEST(join_rows, reads_across_pieces_of_any_layout) {
  const std::array parts = {odd_matrix({1, 2, 3, 4}, "odd"), Matrix::of_floats({5, 6}, 1, 2, "plain"),
                            odd_matrix({7, 8, 9, 10, 11, 12}, "odder")};
  const Matrix whole = join_rows(parts, "all");
  EXPECT_EQ(whole.rows(), 6U);
  EXPECT_EQ(whole.source, "all");
  EXPECT_EQ(whole.view.as_floats(), nullptr);
  const std::vector<float> expected = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  for (std::size_t first = 0; first <= 6; ++first)
    for (std::size_t count = 0; first + count <= 6; ++count) {
      std::vector<float> floats(2 * count, -1);
      std::vector<double> doubles(2 * count, -1);
      std::vector<float> bytes(2 * count, -1);
      whole.view.read_rows(first, count, floats.data());
      whole.view.read_rows(first, count, doubles.data());
      gather_elements(whole.view, first, count, reinterpret_cast<std::byte*>(bytes.data()));
      const std::vector<float> wanted(expected.begin() + static_cast<std::ptrdiff_t>(2 * first),
                                      expected.begin() + static_cast<std::ptrdiff_t>(2 * (first + count)));
      EXPECT_EQ(floats, wanted);
      EXPECT_EQ(doubles, std::vector<double>(wanted.begin(), wanted.end()));
      EXPECT_EQ(bytes, wanted);
    }
  RowReader reader(whole.view);
  for (Item row = 0; row < 6; ++row) EXPECT_EQ(reader.row(row, row % 2)[1], expected[2 * row + 1]);
  EXPECT_EQ(whole.view.row_as_floats(1), nullptr);
  EXPECT_EQ(whole.view.row_as_floats(2), parts[1].view.as_floats());
  EXPECT_EQ(whole.place_of(4).source, "odder");
  EXPECT_EQ(whole.place_of(4).row, 1U);
}

TEST(join_rows, of_joined_rows_is_flat_and_has_the_fingerprint_of_one_piece) {
  std::vector<float> values(3000);
  for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<float>(at % 97);
  const Matrix whole = Matrix::of_floats(values, 1000, 3, "whole");
  const auto part = [&](std::size_t begin, std::size_t end) {
    const auto at = [&](std::size_t row) { return values.begin() + static_cast<std::ptrdiff_t>(3 * row); };
    return Matrix::of_floats({at(begin), at(end)}, end - begin, 3, "part");
  };
  const Matrix front = join_rows(std::array{part(0, 1), part(1, 400)}, "front");
  const Matrix joined = join_rows(std::array{front, part(400, 1000)}, "joined");
  EXPECT_EQ(joined.view.pieces->views.size(), 3U);
  EXPECT_EQ(fingerprint_of(joined.view), fingerprint_of(whole.view));
  EXPECT_NE(fingerprint_of(front.view), fingerprint_of(whole.view));
}

TEST(join_rows, refuses_parts_that_differ) {
  const Matrix narrow = Matrix::of_floats({1, 2}, 1, 2, "narrow");
  const Matrix wide = Matrix::of_floats({1, 2, 3}, 1, 3, "wide");
  expect_bad_input({"wide: 3 columns", "narrow has 2"}, [&] {
    static_cast<void>(join_rows(std::array{narrow, wide}, "all"));
  });
  const Matrix doubles = testing::matrix_of_doubles({1, 2}, 1, 2, "doubles");
  expect_bad_input({"doubles: f64", "narrow has f32"}, [&] {
    static_cast<void>(join_rows(std::array{narrow, doubles}, "all"));
  });
}

TEST(read_matrix, takes_a_pattern_in_natural_order) {
  const TempDir place;
  for (int shard = 0; shard < 12; ++shard)
    static_cast<void>(
        place.write(fmt::format("part-{}.npy", shard), npy_f4({static_cast<float>(shard), 0}, 1)));
  static_cast<void>(place.write(".part-99.npy", npy_f4({99, 0}, 1)));
  const Matrix matrix = read_matrix(place.path("part-*.npy"));
  ASSERT_EQ(matrix.rows(), 12U);
  const std::vector<float> values = all_floats(matrix);
  for (std::size_t shard = 0; shard < 12; ++shard) EXPECT_EQ(values[2 * shard], static_cast<float>(shard));
  EXPECT_EQ(matrix.source, place.path("part-*.npy"));
  EXPECT_EQ(matrix.place_of(10).source, place.path("part-10.npy"));
  EXPECT_EQ(read_matrix(place.path("part-?.npy")).rows(), 10U);
  EXPECT_EQ(read_matrix(place.path("part-[37].npy")).rows(), 2U);
}

TEST(read_matrix, of_a_pattern_with_one_file_is_that_file) {
  const TempDir place;
  const std::string only = place.write("part-0.npy", npy_f4({1, 2, 3, 4}, 2));
  const Matrix matrix = read_matrix(place.path("part-*.npy"));
  EXPECT_EQ(matrix.source, only);
  EXPECT_EQ(matrix.view.pieces, nullptr);
  const std::string odd = place.write("[a]*.npy", npy_f4({5, 6}, 1));
  EXPECT_EQ(read_matrix(odd).source, odd);
}

TEST(read_matrix, takes_patterns_in_every_format_that_is_mapped) {
  const TempDir place;
  const std::string header = R"({"e":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
                             R"("other":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]}})";
  static_cast<void>(
      place.write("s1.safetensors", testing::safetensors_file(header, raw(std::vector<float>{1, 2, 9, 9}))));
  static_cast<void>(
      place.write("s2.safetensors", testing::safetensors_file(header, raw(std::vector<float>{3, 4, 9, 9}))));
  EXPECT_EQ(all_values(read_matrix(place.path("s*.safetensors:e"))), (std::vector<double>{1, 2, 3, 4}));
  static_cast<void>(place.write("f1.fvecs", testing::little_endian(2, 4) + raw(std::vector<float>{1, 2})));
  static_cast<void>(place.write("f2.fvecs", testing::little_endian(2, 4) + raw(std::vector<float>{3, 4}) +
                                                testing::little_endian(2, 4) +
                                                raw(std::vector<float>{5, 6})));
  EXPECT_EQ(all_values(read_matrix(place.path("f*.fvecs"))), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  static_cast<void>(place.write("t1.csv", "1,2\n"));
  static_cast<void>(place.write("t2.csv", "3,4\n"));
  EXPECT_EQ(all_values(read_matrix(place.path("t*.csv"))), (std::vector<double>{1, 2, 3, 4}));
}

TEST(read_matrix, refuses_shards_that_do_not_fit_and_names_them) {
  const TempDir place;
  const auto read = [&] { static_cast<void>(read_matrix(place.path("part-*"))); };
  expect_error(ErrorKind::io, {"part-*: no file matches"}, read);
  static_cast<void>(place.write("part-1.npy", npy_f4({1, 2}, 1)));
  static_cast<void>(place.write("part-2.npy", npy_f4({1, 2, 3}, 1)));
  expect_bad_input({"part-2.npy: 3 columns", "part-1.npy has 2"}, read);
  static_cast<void>(place.write("part-2.npy", npy_file("<f8", "(1, 2)", raw(std::vector<double>{1, 2}))));
  expect_bad_input({"part-2.npy: f64", "part-1.npy has f32"}, read);
  static_cast<void>(place.write("part-2.npy", "nonsense"));
  expect_bad_input({"part-2.npy"}, read);
  static_cast<void>(place.write("part-2.npy", npy_f4({1, 2, 3, std::nanf("")}, 2)));
  expect_bad_input({"part-2.npy: row 1, column 1"},
                   [&] { static_cast<void>(check_embeddings(read_matrix(place.path("part-*")), {})); });
}

}  // namespace
}  // namespace pith
