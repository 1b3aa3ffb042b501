#include "data/npy_writer.h"

#include <gtest/gtest.h>

#include "data/mapped_file.h"
#include "data/readers/npy.h"
#include "pith/read.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using namespace testing;

TEST(NpyWriter, HeadersAreAsNumpyWritesThem) {
  const std::string header = npy_header_of_int64(3);
  EXPECT_EQ(header.size(), 128U);
  EXPECT_TRUE(header.starts_with(std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                                 "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }  "));
  EXPECT_EQ(header.back(), '\n');
}

TEST(NpyWriter, DataStartsAtAMultipleOf64) {
  for (std::size_t rows = 1; rows < std::size_t{1} << 60; rows *= 10)
    for (const Scalar scalar : {Scalar::f16, Scalar::f32, Scalar::f64})
      EXPECT_EQ(npy_header_of_matrix(scalar, rows, rows / 7 + 1).size() % 64, 0U);
}

TEST(NpyWriter, WhatIsWrittenIsReadBack) {
  const TempDir dir;
  const std::string integers =
      npy_header_of_int64(2) + little_endian(5, 8) + little_endian(~std::uint64_t{0}, 8);
  EXPECT_EQ(read_npy_integers(map_file(dir.write("i.npy", integers))), (std::vector<std::int64_t>{5, -1}));
  EXPECT_EQ(npy_of_int64(std::vector<std::uint32_t>{5, ~std::uint32_t{0}}),
            npy_header_of_int64(2) + little_endian(5, 8) + little_endian(~std::uint32_t{0}, 8));
  const std::string floats = npy_header_of_matrix(Scalar::f32, 2, 1) + raw(std::vector<float>{1.5F, -2.0F});
  const Matrix matrix = read_matrix(dir.write("f.npy", floats));
  EXPECT_EQ(matrix.rows(), 2U);
  EXPECT_NE(matrix.view.as_floats(), nullptr);
  EXPECT_EQ(all_values(matrix), (std::vector<double>{1.5, -2.0}));
  const std::string halves = npy_header_of_matrix(Scalar::f16, 1, 2) + std::string("\x00\x3c\x00\xc0", 4);
  EXPECT_EQ(all_values(read_matrix(dir.write("h.npy", halves))), (std::vector<double>{1, -2}));
}

TEST(NpyWriter, Bf16HasNoNpyType) {
  expect_error(ErrorKind::unsupported, {"bf16"}, [] { (void)npy_header_of_matrix(Scalar::bf16, 1, 1); });
}

}  // namespace
}  // namespace pith
