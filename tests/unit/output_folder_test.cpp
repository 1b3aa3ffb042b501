#include "base/output_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/output_file.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

namespace fs = std::filesystem;
using testing::file_contents;
using testing::TempDir;

unsigned mode_of(const std::string& path) {
  return static_cast<unsigned>(fs::status(path).permissions()) & 0777U;
}

/// Who may read what was chosen is for the user to say.
TEST(OutputFolder, modes_follow_the_umask) {
  const TempDir folder;
  for (const auto& [mask, file_mode, folder_mode] :
       {std::tuple(022U, 0644U, 0755U), std::tuple(077U, 0600U, 0700U), std::tuple(002U, 0664U, 0775U)}) {
    const std::string name = folder.path("run-" + std::to_string(mask));
    const mode_t before = ::umask(mask);
    OutputFolder out(name);
    out.write("a.txt", "a");
    out.commit();
    OutputFile file(name + "/b.txt");
    file.write("b");
    file.put_in_place();
    ::umask(before);
    EXPECT_EQ(mode_of(name), folder_mode);
    EXPECT_EQ(mode_of(name + "/a.txt"), file_mode);
    EXPECT_EQ(mode_of(name + "/b.txt"), file_mode);
    EXPECT_EQ(file_contents(name + "/a.txt"), "a");
  }
}

TEST(OutputFolder, what_is_not_finished_leaves_nothing) {
  const TempDir folder;
  {
    OutputFolder out(folder.path("run"));
    out.write("a.txt", "a");
    OutputFile file(folder.path("b.txt"));
    file.write("b");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path("")), fs::directory_iterator()), 2);
  }
  EXPECT_TRUE(fs::is_empty(folder.path("")));
}

TEST(OutputFolder, a_folder_behind_a_link_is_the_one_the_system_means) {
  const TempDir folder;
  fs::create_directories(folder.path("real/below"));
  fs::create_directories(folder.path("real/run"));
  fs::create_directory_symlink(folder.path("real/below"), folder.path("link"));
  OutputFolder out(folder.path("link/../run"));
  out.write("a.txt", "a");
  out.commit();
  EXPECT_EQ(file_contents(folder.path("real/run/a.txt")), "a");
  EXPECT_FALSE(fs::exists(folder.path("run")));
  for (const char* name : {"link/../fresh", "link/../deep/er/"}) {
    OutputFolder fresh(folder.path(name));
    fresh.write("a.txt", "a");
    fresh.commit();
    EXPECT_EQ(file_contents(folder.path(name) + "/a.txt"), "a");
  }
  EXPECT_EQ(file_contents(folder.path("real/deep/er/a.txt")), "a");
}

TEST(OutputFolder, a_link_that_leads_nowhere_is_found_out_at_once) {
  const TempDir folder;
  fs::create_directory_symlink(folder.path("nowhere"), folder.path("link"));
  for (const char* name : {"link", "link/"})
    testing::expect_error(ErrorKind::io, {"link", "leads nowhere"},
                          [&] { OutputFolder out(folder.path(name)); });
}

TEST(OutputFile, replaces_what_a_link_leads_to_and_no_pipe_or_device) {
  const TempDir folder;
  static_cast<void>(folder.write("real.txt", "old"));
  fs::create_symlink(folder.path("real.txt"), folder.path("link.txt"));
  OutputFile file(folder.path("link.txt"));
  file.write("new");
  file.put_in_place();
  EXPECT_TRUE(fs::is_symlink(folder.path("link.txt")));
  EXPECT_EQ(file_contents(folder.path("real.txt")), "new");

  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  testing::expect_error(ErrorKind::io, {"pipe", "no regular file"},
                        [&] { OutputFile out(folder.path("pipe")); });
  EXPECT_TRUE(fs::is_fifo(folder.path("pipe")));
}

}  // namespace
}  // namespace pith
