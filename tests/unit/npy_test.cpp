#include "data/readers/npy.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "data/mapped_file.h"
#include "pith/read.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using namespace testing;
using namespace std::string_literals;

const std::vector<double> expected = {1.0, -2.5, 0.5, 3.0, 0.25, 100.0};

TEST(Npy, EveryTypeOrderEndiannessAndVersionGivesTheSameValues) {
  const std::pair<const char*, Scalar> kinds[] = {
      {"f2", Scalar::f16}, {"f4", Scalar::f32}, {"f8", Scalar::f64}};
  for (const auto& [kind, scalar] : kinds)
    for (const char* order : {"little", "big"})
      for (const char* layout : {"c_v1", "c_v2", "c_v3", "fortran"}) {
        const std::string path =
            corpus_path(std::string("npy/") + kind + "_" + order + "_" + layout + ".npy");
        SCOPED_TRACE(path);
        const Matrix matrix = read_matrix(path);
        EXPECT_EQ(matrix.rows(), 2U);
        EXPECT_EQ(matrix.cols(), 3U);
        EXPECT_EQ(matrix.view.scalar, scalar);
        EXPECT_EQ(matrix.source, path);
        EXPECT_EQ(all_values(matrix), expected);
        EXPECT_EQ(all_floats(matrix), std::vector<float>(expected.begin(), expected.end()));
      }
}

TEST(Npy, EveryLayoutIsAViewOfTheFile) {
  for (const char* name : {"npy/f4_little_c_v1.npy", "npy/f4_big_fortran.npy", "npy/f2_little_fortran.npy",
                           "npy/f8_big_c_v2.npy"}) {
    const Bytes file = map_file(corpus_path(name));
    const Matrix matrix = read_npy(file);
    EXPECT_EQ(matrix.owner, file.owner);
    EXPECT_GE(matrix.view.data, file.data.data());
    EXPECT_EQ(matrix.view.data + 6 * bytes_of(matrix.view.scalar), file.data.data() + file.data.size());
  }
}

TEST(Npy, NativeFloatsAreUsedAsTheyLie) {
  const Bytes file = map_file(corpus_path("npy/f4_little_c_v1.npy"));
  ASSERT_EQ(std::endian::native, std::endian::little);
  EXPECT_EQ(reinterpret_cast<const std::byte*>(read_npy(file).view.as_floats()), file.data.data() + 128);
}

TEST(Npy, StridesOfFortranOrder) {
  const Matrix matrix = read_matrix(corpus_path("npy/f8_little_fortran.npy"));
  EXPECT_EQ(matrix.view.row_stride_bytes, 8);
  EXPECT_EQ(matrix.view.col_stride_bytes, 16);
  EXPECT_FALSE(matrix.view.byte_swapped);
  EXPECT_TRUE(read_matrix(corpus_path("npy/f8_big_fortran.npy")).view.byte_swapped);
}

TEST(Npy, UnalignedDataIsRead) {
  const TempDir dir;
  for (int pad = 0; pad < 4; ++pad) {
    const std::string spaces(static_cast<std::size_t>(pad), ' ');
    const Matrix matrix = read_matrix(
        dir.write("a.npy", npy_file("<f4", "(1, 2)" + spaces, raw(std::vector<float>{1.5F, 2.5F}))));
    EXPECT_EQ(all_values(matrix), (std::vector<double>{1.5, 2.5}));
  }
}

TEST(Npy, HeaderMayBeWrittenInOtherWays) {
  const TempDir dir;
  const std::string data = raw(std::vector<float>{1, 2});
  const auto with_header = [&](const std::string& header) {
    return dir.write(
        "a.npy", "\x93NUMPY" + std::string("\x01\x00", 2) + little_endian(header.size(), 2) + header + data);
  };
  for (const char* header : {R"({"shape":(2,1),"fortran_order":False,"descr":"<f4"})",
                             "{'descr': 'f4', 'fortran_order': False, 'shape': (2L, 1L,), }  \n",
                             "{ 'fortran_order' : True,\n'descr' : '=f4' , 'shape' : ( 2 , 1 ) }"})
    EXPECT_EQ(all_values(read_matrix(with_header(header))), (std::vector<double>{1, 2})) << header;
}

TEST(Npy, NonFiniteAndExtremeValuesPassThrough) {
  const TempDir dir;
  const Matrix matrix =
      read_matrix(dir.write("a.npy", npy_file("<f2", "(1, 4)", "\x01\x00\xff\x7b\x00\x7c\x00\x80"s)));
  const std::vector<double> values = all_values(matrix);
  EXPECT_EQ(values[0], 0x1p-24);
  EXPECT_EQ(values[1], 65504.0);
  EXPECT_EQ(values[2], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(values[3] == 0 && std::signbit(values[3]));
}

struct Case {
  const char* name;
  ErrorKind kind;
  std::vector<std::string> parts;
};

TEST(Npy, LyingFilesAreRefusedInOneLine) {
  constexpr auto bad = ErrorKind::bad_input;
  constexpr auto unsupported = ErrorKind::unsupported;
  const Case cases[] = {
      {"bad_truncated_data", bad, {"truncated", "(2, 3)", "<f4", "24 bytes", "23 are there"}},
      {"bad_truncated_header", bad, {"truncated", "header"}},
      {"bad_truncated_length", bad, {"truncated", "ends after 9 bytes"}},
      {"bad_magic_only", bad, {"truncated", "ends after 6 bytes"}},
      {"bad_magic", bad, {"not an .npy array", "\\x93NUMPY"}},
      {"bad_empty", bad, {"not an .npy array"}},
      {"bad_trailing", bad, {"4 bytes follow the array", "(2, 3)"}},
      {"bad_version", unsupported, {"version 9.0", "supported: 1.0, 2.0, 3.0"}},
      {"bad_minor_version", unsupported, {"version 1.7", "supported: 1.0, 2.0, 3.0"}},
      {"bad_leading_zero", bad, {"shape holds a number that starts with 0"}},
      {"bad_overflow", bad, {"(4294967296, 4294967296)", "too large"}},
      {"bad_overflow_digits", bad, {"shape holds '99999999999999999999999,'"}},
      {"bad_overflow_wraps_small", bad, {"(4294967294, 4294967294) overflows"}},
      {"bad_rows", bad, {"(4294967295, 1)", "fewer than 4294967295"}},
      {"bad_beyond", bad, {"truncated", "(1000000, 1000)", "4000000000 bytes", "24 are there"}},
      {"bad_zero_rows", bad, {"(0, 3) is empty"}},
      {"bad_zero_cols", bad, {"(3, 0) is empty"}},
      {"bad_1d", bad, {"(6,) is 1-D", "reshape"}},
      {"bad_3d", bad, {"(1, 2, 3) is 3-D", "reshape"}},
      {"bad_0d", bad, {"() is 0-D"}},
      {"bad_int64", unsupported, {"'<i8'", "float16, float32, float64", "astype('float32')"}},
      {"bad_object", unsupported, {"Python objects", "astype('float32')"}},
      {"bad_structured", unsupported, {"structured dtype [('a', '<f4')]"}},
      {"bad_negative", bad, {"shape holds '-2, 3)"}},
      {"bad_header_no_brace", bad, {"expected '{'"}},
      {"bad_header_no_shape", bad, {"missing"}},
      {"bad_header_repeated", bad, {"'descr' is unknown or repeated"}},
      {"bad_header_unknown_key", bad, {"'x' is unknown or repeated"}},
      {"bad_header_open_string", bad, {"a string does not end"}},
      {"bad_header_after", bad, {"text follows the dictionary"}},
      {"bad_header_bool", bad, {"neither True nor False"}},
      {"bad_header_tuple", bad, {"shape is not a tuple"}},
      {"bad_header_utf8", unsupported, {"'\\xff\\xfe'"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const std::string path = corpus_path("npy/" + std::string(c.name) + ".npy");
    expect_error(c.kind, {path + ": "}, [&] { (void)read_matrix(path); });
    for (const std::string& part : c.parts) expect_error(c.kind, {part}, [&] { (void)read_matrix(path); });
  }
}

TEST(Npy, OtherDtypesAreNamed) {
  const TempDir dir;
  for (const char* descr : {"<f16", "<c8", "|b1", "<V2", "<U5", "|f4", "f", "", "<f3", "<", "float32"}) {
    const std::string path = dir.write("a.npy", npy_file(descr, "(1, 1)", std::string(16, '\0')));
    expect_error(ErrorKind::unsupported, {path, "dtype '" + std::string(descr) + "' is not supported"},
                 [&] { (void)read_matrix(path); });
  }
}

TEST(Npy, HugeHeadersAreRefused) {
  const TempDir dir;
  const std::string path = dir.write("a.npy", "\x93NUMPY" + std::string("\x02\x00", 2) +
                                                  little_endian(1 << 17, 4) + std::string(1 << 17, ' '));
  expect_error(ErrorKind::unsupported, {path, "131072 bytes is too long"}, [&] { (void)read_matrix(path); });
}

TEST(NpyIntegers, EveryWidthSignAndByteOrder) {
  for (const char* kind : {"i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"})
    for (const char* order : {"little", "big"}) {
      const std::string path = corpus_path(std::string("item_list/") + kind + "_" + order + ".npy");
      EXPECT_EQ(read_npy_integers(map_file(path)), (std::vector<std::int64_t>{3, 0, 2})) << path;
    }
  EXPECT_TRUE(read_npy_integers(map_file(corpus_path("item_list/none.npy"))).empty());
}

TEST(NpyIntegers, NarrowNegativesKeepTheirSign) {
  const TempDir dir;
  const std::string path = dir.write("a.npy", npy_file("<i2", "(2,)", "\xfe\xff\x00\x80"s));
  EXPECT_EQ(read_npy_integers(map_file(path)), (std::vector<std::int64_t>{-2, -32768}));
}

TEST(NpyIntegers, RefusesTheRest) {
  const auto read = [](const char* name) {
    return [name] { (void)read_npy_integers(map_file(corpus_path(std::string("item_list/") + name))); };
  };
  expect_error(ErrorKind::unsupported, {"bad_float.npy", "'<f8'", "astype('int64')"}, read("bad_float.npy"));
  expect_bad_input({"bad_2d.npy", "(1, 1) is 2-D", "ravel"}, read("bad_2d.npy"));
  expect_bad_input({"bad_huge.npy", "entry 0", "18446744073709551615"}, read("bad_huge.npy"));
  expect_bad_input({"bad_overflow.npy", "(9223372036854775807,) overflows"}, read("bad_overflow.npy"));
}

}  // namespace
}  // namespace pith
