#include "data/readers/npz.h"

#include <gtest/gtest.h>

#include "data/mapped_file.h"
#include "data/readers/zip_archive.h"
#include "pith/read.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using namespace testing;

const std::vector<double> expected = {1.0, -2.5, 0.5, 3.0, 0.25, 100.0};

Matrix read(const std::string& name, const std::string& array = "") {
  return read_matrix(corpus_path("npz/" + name + ".npz"), {.array = array});
}

TEST(Npz, TheOnlyArrayIsRead) {
  for (const char* name : {"stored", "stored_no_zip64", "deflated", "comment"}) {
    const Matrix matrix = read(name);
    EXPECT_EQ(all_values(matrix), expected) << name;
    EXPECT_EQ(matrix.source, corpus_path("npz/" + std::string(name) + ".npz:emb"));
  }
}

TEST(Npz, StoredArraysAreViewsOfTheFile) {
  const Bytes file = map_file(corpus_path("npz/stored.npz"));
  const Matrix matrix = read_npz(file, "");
  EXPECT_EQ(matrix.owner, file.owner);
  EXPECT_GT(matrix.view.data, file.data.data());
  EXPECT_LT(matrix.view.data, file.data.data() + file.data.size());
}

TEST(Npz, DeflatedArraysOwnTheirMemory) {
  const Bytes file = map_file(corpus_path("npz/deflated_zeros.npz"));
  const Matrix matrix = read_npz(file, "");
  EXPECT_NE(matrix.owner, nullptr);
  EXPECT_NE(matrix.owner, file.owner);
  EXPECT_EQ(matrix.rows(), 64U);
  EXPECT_EQ(all_values(matrix), std::vector<double>(64 * 64, 0.0));
}

TEST(Npz, TheOnlyFloatMatrixIsPickedAmongSeveralArrays) {
  for (const char* name : {"matrix_and_labels", "matrix_and_labels_deflated"}) {
    const Matrix matrix = read(name);
    EXPECT_EQ(all_values(matrix), expected);
    EXPECT_EQ(matrix.view.scalar, Scalar::f64);
  }
}

TEST(Npz, ArraysAreNamedByOptionOrSuffix) {
  EXPECT_EQ(read("two_matrices", "a").view.scalar, Scalar::f32);
  EXPECT_EQ(read("two_matrices", "b").view.scalar, Scalar::f64);
  const std::string path = corpus_path("npz/two_matrices.npz");
  EXPECT_EQ(read_matrix(path + ":b").view.scalar, Scalar::f64);
  EXPECT_EQ(read_matrix(path + ":b").source, path + ":b");
  EXPECT_EQ(read_matrix(path + ":b", {.array = "b"}).view.scalar, Scalar::f64);
  expect_error(ErrorKind::bad_option, {path, "'a'", "name it once"},
               [&] { (void)read_matrix(path + ":b", {.array = "a"}); });
}

TEST(Npz, AmbiguityListsTheNames) {
  const std::string path = corpus_path("npz/two_matrices.npz");
  expect_bad_input({path, "2 arrays, 2 of them 2-D", "'a', 'b'", path + ":name"},
                   [&] { (void)read_matrix(path); });
  expect_bad_input({path, "no array named 'c'", "'a', 'b'"}, [&] { (void)read_matrix(path + ":c"); });
  expect_bad_input({"matrix_and_labels.npz:y: is a list of 2 whole numbers, such as labels"},
                   [] { (void)read("matrix_and_labels", "y"); });
}

TEST(Npz, AFileWhoseNameHoldsAColonIsMeantAsItStands) {
  const TempDir dir;
  const std::string path = dir.write("x.npz:y.npy", npy_file("<f4", "(1, 1)", raw(std::vector<float>{7})));
  EXPECT_EQ(all_values(read_matrix(path)), std::vector<double>{7});
}

TEST(Npz, DamagedArchivesAreRefusedInOneLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"bad_no_arrays", "holds no arrays"},
      {"bad_empty_archive", "holds no arrays"},
      {"bad_empty", "too short"},
      {"bad_truncated", "truncated, its directory is missing"},
      {"bad_half", "truncated, its directory is missing"},
      {"bad_not_zip", "its directory is missing"},
      {"bad_inner_truncated", ":emb: truncated: shape (2, 3) of <f4 needs 24 bytes of data but 20 are there"},
      {"bad_local_signature", "not where the directory says"},
      {"bad_local_name", "differs from what the directory says"},
      {"bad_offset", "not where the directory says"},
      {"bad_offset_beyond", "not where the directory says"},
      {"bad_size", "an entry ends beyond the file"},
      {"bad_size_differs", "stored entry of 152 bytes claims 12"},
      {"bad_zip64_without_field", "an entry ends beyond the file"},
      {"bad_count", "more entries than fit"},
      {"bad_bomb", "claim to hold 2147483648"},
      {"bad_crc", "checksum"},
      {"bad_deflate", "damaged"},
  };
  for (const auto& [name, part] : cases) {
    SCOPED_TRACE(name);
    expect_bad_input({corpus_path("npz/" + std::string(name) + ".npz"), part}, [&] { (void)read(name); });
  }
  expect_error(ErrorKind::unsupported, {"bad_bzip2.npz:emb.npy", "method 12", "none, deflate"},
               [] { (void)read("bad_bzip2"); });
  expect_error(ErrorKind::unsupported, {"bad_torch.npz", "torch.save()", "numpy.save"},
               [] { (void)read("bad_torch"); });
  expect_error(ErrorKind::unsupported, {"bad_encrypted.npz:emb.npy", "encrypted"},
               [] { (void)read("bad_encrypted"); });
}

TEST(ZipArchive, ReadsPrefixes) {
  for (const char* name : {"npz/stored.npz", "npz/deflated.npz"}) {
    const ZipArchive archive(map_file(corpus_path(name)));
    ASSERT_EQ(archive.entries().size(), 1U);
    EXPECT_EQ(archive.entries()[0].name, "emb.npy");
    EXPECT_EQ(archive.read(0, 6).text(), "\x93NUMPY");
    EXPECT_EQ(archive.read(0).data.size(), archive.entries()[0].bytes);
  }
}

/// Sizes and offsets of all ones refer to the zip64 extra field and the zip64 end record.
TEST(ZipArchive, ReadsZip64Directories) {
  const std::string npy = npy_file("<f4", "(1, 1)", raw(std::vector<float>{7}));
  const auto n = [](std::uint64_t value, int bytes) { return little_endian(value, bytes); };
  const std::string local = n(0x04034b50, 4) + n(45, 2) + n(0, 2) + n(0, 2) + n(0, 4) + n(0, 4) +
                            n(0xffffffff, 4) + n(0xffffffff, 4) + n(5, 2) + n(0, 2) + "x.npy";
  const std::string extra =
      n(99, 2) + n(1, 2) + "?" + n(1, 2) + n(24, 2) + n(npy.size(), 8) + n(npy.size(), 8) + n(0, 8);
  const std::string central = n(0x02014b50, 4) + n(45, 2) + n(45, 2) + n(0, 2) + n(0, 2) + n(0, 4) + n(0, 4) +
                              n(0xffffffff, 4) + n(0xffffffff, 4) + n(5, 2) + n(extra.size(), 2) + n(0, 2) +
                              n(0, 2) + n(0, 2) + n(0, 4) + n(0xffffffff, 4) + "x.npy" + extra;
  const std::uint64_t directory = local.size() + npy.size();
  const std::uint64_t end64_at = directory + central.size();
  const std::string end64 = n(0x06064b50, 4) + n(44, 8) + n(45, 2) + n(45, 2) + n(0, 4) + n(0, 4) + n(1, 8) +
                            n(1, 8) + n(central.size(), 8) + n(directory, 8);
  const std::string locator = n(0x07064b50, 4) + n(0, 4) + n(end64_at, 8) + n(1, 4);
  const std::string end = n(0x06054b50, 4) + n(0, 2) + n(0, 2) + n(0xffff, 2) + n(0xffff, 2) +
                          n(0xffffffff, 4) + n(0xffffffff, 4) + n(0, 2);
  const TempDir dir;
  const std::string path = dir.write("a.npz", local + npy + central + end64 + locator + end);
  EXPECT_EQ(all_values(read_matrix(path)), std::vector<double>{7});
}

}  // namespace
}  // namespace pith
