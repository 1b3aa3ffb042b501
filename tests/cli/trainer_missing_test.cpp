#include "support/cli_case.h"

namespace pith::testing {
namespace {

namespace fs = std::filesystem;

TEST(TrainerCommands, are_listed_in_every_build) {
  const Outcome outcome = run_pith({"--help"});
  for (const char* name : {"train", "embed", "experiment"})
    EXPECT_THAT(outcome.out, ::testing::HasSubstr(name));
}

TEST(TrainerCommands, say_how_to_get_the_trainer_where_there_is_none) {
  // The command alone in a folder, without pith-train beside it.
  const TempDir place;
  fs::copy_file(PITH_COMMAND, place.path("pith"));
  for (const char* name : {"train", "embed", "experiment"}) {
    const std::string line = fmt::format("'{}' {} --data x --out y >'{}' 2>'{}'", place.path("pith"), name,
                                         place.path("out"), place.path("err"));
    const int status = std::system(line.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 3);
    EXPECT_EQ(
        file_contents(place.path("err")),
        "pith: there is no trainer here: install the package pith-train, or run scripts/setup train and "
        "build again\n");
    EXPECT_EQ(file_contents(place.path("out")), "");
  }
}

TEST(Explorer, says_how_to_get_it_where_there_is_none) {
  const TempDir place;
  fs::copy_file(PITH_COMMAND, place.path("pith"));
  const std::string line =
      fmt::format("'{}' serve x >'{}' 2>'{}'", place.path("pith"), place.path("out"), place.path("err"));
  const int status = std::system(line.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(file_contents(place.path("err")),
            "pith: there is no explorer here: install the package pith-serve, or run scripts/setup and build "
            "again\n");
  EXPECT_EQ(file_contents(place.path("out")), "");
}

}  // namespace
}  // namespace pith::testing
