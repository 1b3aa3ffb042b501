#include "pith/read.h"

#include <gtest/gtest.h>

#include "data/mapped_file.h"
#include "data/readers/fvecs.h"
#include "data/readers/registry.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using namespace testing;

TEST(Fvecs, RowsAreStridedViewsOfTheFile) {
  const Bytes file = map_file(corpus_path("fvecs/good.fvecs"));
  const Matrix matrix = read_fvecs(file);
  EXPECT_EQ(matrix.rows(), 2U);
  EXPECT_EQ(matrix.cols(), 3U);
  EXPECT_EQ(matrix.view.data, file.data.data() + 4);
  EXPECT_EQ(matrix.view.row_stride_bytes, 16);
  EXPECT_EQ(matrix.owner, file.owner);
  EXPECT_EQ(matrix.view.as_floats(), nullptr);
  EXPECT_EQ(all_values(matrix), (std::vector<double>{1.0, -2.5, 0.5, 3.0, 0.25, 100.0}));
  EXPECT_EQ(read_matrix(corpus_path("fvecs/one.fvecs")).rows(), 1U);
}

TEST(Fvecs, LyingFilesAreRefused) {
  const std::pair<const char*, const char*> cases[] = {
      {"bad_truncated", "rows of 3 columns take 16 bytes each, and 15 bytes are left after row 0"},
      {"bad_ragged", "row 1 claims 2 columns but row 0 claims 3"},
      {"bad_negative", "row 0 claims -3 columns"},
      {"bad_zero", "row 0 claims 0 columns"},
      {"bad_beyond", "and 16 bytes are left after no row at all"},
      {"bad_short", "truncated: 2 bytes"},
      {"bad_empty", "empty file"},
  };
  for (const auto& [name, part] : cases) {
    const std::string path = corpus_path("fvecs/" + std::string(name) + ".fvecs");
    expect_bad_input({path, part}, [&] { (void)read_matrix(path); });
  }
}

TEST(ReadMatrix, ExtensionsMayBeInCapitals) {
  const TempDir dir;
  const std::string npy = npy_file("<f4", "(1, 1)", raw(std::vector<float>{7}));
  EXPECT_EQ(all_values(read_matrix(dir.write("A.NPY", npy))), std::vector<double>{7});
  const std::string npz = file_contents(corpus_path("npz/two_matrices.npz"));
  EXPECT_EQ(read_matrix(dir.write("A.NPZ", npz) + ":a").rows(), 2U);
}

TEST(ReadMatrix, UnknownExtensionsAreToldByTheFirstBytes) {
  const TempDir dir;
  for (const char* name : {"npy/f8_big_fortran.npy", "npz/stored.npz", "safetensors/bf16.safetensors"}) {
    const std::string path = dir.write("embeddings.bin", file_contents(corpus_path(name)));
    EXPECT_EQ(read_matrix(path).rows(), 2U) << name;
  }
  EXPECT_EQ(read_matrix(dir.write("noextension", file_contents(corpus_path("npz/two_matrices.npz"))),
                        {.array = "a"})
                .rows(),
            2U);
}

TEST(ReadMatrix, UnknownFormatsListTheKnownOnes) {
  const TempDir dir;
  const std::string path = dir.write("a.parquet", "PAR1");
  expect_error(ErrorKind::unsupported,
               {path, "unknown format '.parquet'", ".npy, .npz, .safetensors, .csv, .tsv, .fvecs"},
               [&] { (void)read_matrix(path); });
  expect_error(ErrorKind::unsupported, {"unknown format ''"},
               [&] { (void)read_matrix(dir.write("empty", "")); });
}

TEST(ReadMatrix, ArraysCannotBeNamedWhereThereIsOne) {
  const TempDir dir;
  const std::string path = dir.write("a.csv", "1,2\n");
  expect_error(ErrorKind::bad_option, {path, ".csv file holds one array", "'x'"},
               [&] { (void)read_matrix(path, {.array = "x"}); });
}

TEST(ReadMatrix, MissingFilesAreNamedWithoutTheArray) {
  expect_error(ErrorKind::io, {"/nowhere/a.npz: cannot open: No such file or directory"},
               [] { (void)read_matrix("/nowhere/a.npz:x"); });
  expect_error(ErrorKind::io, {"/nowhere/a.npy:x: cannot open"},
               [] { (void)read_matrix("/nowhere/a.npy:x"); });
}

TEST(ReadMatrix, TheMatrixOutlivesItsFileName) {
  const TempDir dir;
  const std::string path = dir.write("a.npy", npy_file("<f4", "(1, 1)", raw(std::vector<float>{7})));
  const Matrix matrix = read_matrix(path);
  std::filesystem::remove(path);
  EXPECT_EQ(all_values(matrix), std::vector<double>{7});
}

}  // namespace
}  // namespace pith
