#include "data/readers/safetensors.h"

#include <gtest/gtest.h>

#include "data/mapped_file.h"
#include "pith/read.h"
#include "support/errors.h"
#include "support/files.h"

namespace pith {
namespace {

using namespace testing;

std::string path_of(const std::string& name) {
  return corpus_path("safetensors/" + name + ".safetensors");
}

TEST(Safetensors, EveryFloatType) {
  const std::pair<const char*, Scalar> cases[] = {
      {"f16", Scalar::f16}, {"bf16", Scalar::bf16},    {"f32", Scalar::f32},
      {"f64", Scalar::f64}, {"metadata", Scalar::f32}, {"unaligned", Scalar::f32},
  };
  for (const auto& [name, scalar] : cases) {
    const Matrix matrix = read_matrix(path_of(name));
    EXPECT_EQ(matrix.view.scalar, scalar) << name;
    EXPECT_EQ(all_values(matrix), (std::vector<double>{1.0, -2.5, 0.5, 3.0, 0.25, 100.0})) << name;
    EXPECT_EQ(matrix.source, path_of(name) + ":x");
  }
}

TEST(Safetensors, TensorsAreViewsOfTheFile) {
  const Bytes file = map_file(path_of("f32"));
  const Matrix matrix = read_safetensors(file, "");
  EXPECT_EQ(matrix.owner, file.owner);
  EXPECT_EQ(matrix.view.data + 24, file.data.data() + file.data.size());
}

TEST(Safetensors, TensorsArePickedByName) {
  EXPECT_EQ(read_matrix(path_of("two") + ":b").source, path_of("two") + ":b");
  EXPECT_EQ(read_matrix(path_of("two"), {.array = "a"}).source, path_of("two") + ":a");
  expect_bad_input({path_of("two"), "'a', 'b'", path_of("two") + ":name"},
                   [] { (void)read_matrix(path_of("two")); });
  expect_bad_input({path_of("two"), "no array named 'z'"}, [] { (void)read_matrix(path_of("two") + ":z"); });
}

TEST(Safetensors, LyingHeadersAreRefusedInOneLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"bad_none", "holds no arrays"},
      {"bad_beyond", "tensor 'x' lies at bytes 0 to 2400 of 24"},
      {"bad_size", ":x: shape (2, 4) of F32 needs 32 bytes but data_offsets give it 24"},
      {"bad_order", "lies at bytes 24 to 0 of 24"},
      {"bad_overflow", ":x: shape (2147483648, 2147483648) overflows"},
      {"bad_overflow_huge", ":x: shape (9223372036854775808, 8) is too large"},
      {"bad_huge_number", "out of range"},
      {"bad_negative", "tensor 'x': shape is missing or no list of whole numbers"},
      {"bad_rows", ":x: shape (0, 3) is empty"},
      {"bad_1d", ":x: shape (6,) is 1-D"},
      {"bad_dtype", "tensor 'x': dtype is missing or no string"},
      {"bad_shape", "tensor 'x': shape"},
      {"bad_offsets", "tensor 'x': data_offsets"},
      {"bad_entry", "tensor 'x': its description is not a JSON object"},
      {"bad_list", "not a JSON object"},
      {"bad_json", "its header is not valid JSON (byte"},
      {"bad_utf8", "not valid JSON"},
      {"bad_deep", "nests deeper than 4 levels"},
      {"bad_repeated", "key 'x' twice"},
      {"bad_length", "its header claims 10000 bytes"},
      {"bad_length_huge", "claims a header of 18446744073709551615 bytes"},
      {"bad_short", "truncated: 3 bytes"},
      {"bad_empty", "truncated: 0 bytes"},
  };
  for (const auto& [name, part] : cases) {
    SCOPED_TRACE(name);
    expect_bad_input({path_of(name), part}, [&] { (void)read_matrix(path_of(name)); });
  }
  expect_error(ErrorKind::unsupported, {path_of("bad_i64") + ":x", "'I64'", "F16, BF16, F32, F64"},
               [] { (void)read_matrix(path_of("bad_i64")); });
}

}  // namespace
}  // namespace pith
