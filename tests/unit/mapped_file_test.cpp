#include "data/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "data/lost_pages.h"
#include "support/errors.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using testing::expect_error;
using testing::TempDir;

TEST(MappedFile, HoldsTheBytesOfTheFile) {
  const TempDir dir;
  const std::string path = dir.write("a.bin", "hello");
  const Bytes file = map_file(path);
  EXPECT_EQ(file.text(), "hello");
  EXPECT_EQ(file.name, path);
  EXPECT_NE(file.owner, nullptr);
}

TEST(MappedFile, StaysMappedWhileTheOwnerLives) {
  const TempDir dir;
  std::shared_ptr<const void> owner;
  std::span<const std::byte> data;
  {
    const Bytes file = map_file(dir.write("a.bin", "hello"));
    owner = file.owner;
    data = file.data;
  }
  EXPECT_EQ(data[4], std::byte{'o'});
}

TEST(MappedFile, EmptyFileHasNoBytes) {
  const TempDir dir;
  EXPECT_TRUE(map_file(dir.write("empty", "")).data.empty());
}

TEST(MappedFile, RefusesWhatIsNotThere) {
  const TempDir dir;
  const std::string path = dir.path("missing.npy");
  expect_error(ErrorKind::io, {path + ": cannot open: No such file or directory", "check the path"},
               [&] { (void)map_file(path); });
}

TEST(MappedFile, RefusesDirectories) {
  const TempDir dir;
  expect_error(ErrorKind::io, {dir.path("") + ": cannot open: Is a directory"},
               [&] { (void)map_file(dir.path("")); });
}

TEST(MappedFile, RefusesPipesWithoutWaitingForAWriter) {
  const TempDir dir;
  const std::string path = dir.path("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  expect_error(ErrorKind::io, {path, "not a regular file"}, [&] { (void)map_file(path); });
}

TEST(MappedFile, HintsNeverFail) {
  const TempDir dir;
  const Bytes file = map_file(dir.write("a.bin", "hello"));
  advise_sequential(file.data);
  advise_sequential(file.data.subspan(3));
  advise_sequential({});
  EXPECT_EQ(file.text(), "hello");
}

/// As a rank does whose standard error goes nowhere.
void read_what_is_gone(const std::string& path) {
  const Bytes file = map_file(path);
  explain_lost_pages();
  explain_lost_pages_on(::dup(STDERR_FILENO));
  ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
  std::filesystem::resize_file(path, 0);
  std::exit(file.data.back() == std::byte{0} ? 0 : 1);
}

TEST(MappedFileDeathTest, LostPagesAreToldWhereverThatIsRead) {
  const TempDir dir;
  const std::string path = dir.write("a.bin", std::string(100'000, 'x'));
  EXPECT_EXIT(read_what_is_gone(path), ::testing::ExitedWithCode(4), "a.bin: was cut short");
}

}  // namespace
}  // namespace pith
