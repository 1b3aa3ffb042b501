#include "support/cli_case.h"

namespace pith::testing {
namespace {

namespace fs = std::filesystem;

class BadPaths : public CliCase {
 protected:
  [[nodiscard]] Outcome into(const std::string& out) const {
    return run_pith(
        {"select", "--embeddings", path("e.npy"), "--probs", path("p.npy"), "--budget", "6", "--out", out});
  }
};

TEST_F(BadPaths, inputs_that_are_missing_or_folders) {
  fs::create_directory(path("folder.npy"));
  const Arguments good = {"--embeddings", path("e.npy"), "--probs", path("p.npy"),
                          "--budget",     "6",           "--out",   path("out")};
  for (const char* name : {"missing.npy", "folder.npy", "e.npy/below.npy"}) {
    SCOPED_TRACE(name);
    for (const std::size_t at : {std::size_t{1}, std::size_t{3}}) {
      Arguments arguments = good;
      arguments[at] = path(name);
      expect_refused(run_pith(Arguments{"select"} + arguments), 4, {name, "cannot open"});
    }
    for (const char* option : {"--ids", "--labelled", "--exclude", "--graph"}) {
      SCOPED_TRACE(option);
      expect_refused(run_pith(Arguments{"select"} + good + Arguments{option, path(name)}), 4,
                     {name, "cannot open"});
    }
    for (const char* option : {"--class-cap", "--boundary-cap"}) {
      SCOPED_TRACE(option);
      expect_refused(run_pith(Arguments{"select"} + good + Arguments{option, path(name)}), 4,
                     {name, "cap file"});
    }
  }
}

TEST_F(BadPaths, inputs_that_are_no_regular_file) {
  for (const char* name : {"/dev/null", "/dev/zero"})
    expect_refused(run_pith({"select", "--embeddings", name, "--probs", path("p.npy"), "--budget", "6",
                             "--out", path("out")}),
                   4, {name, "regular file"});
}

TEST_F(BadPaths, unknown_formats) {
  write("e.parquet", "PAR1 and so on");
  expect_refused(run_pith({"select", "--embeddings", path("e.parquet"), "--probs", path("p.npy"), "--budget",
                           "6", "--out", path("out")}),
                 3, {"e.parquet", "parquet", ".npy"});
}

TEST_F(BadPaths, output_below_a_file_or_where_nothing_can_be) {
  write("file.txt", "kept");
  expect_refused(into(path("file.txt/sub")), 4, {"file.txt"});
  expect_refused(into(path("file.txt/sub/deeper")), 4, {"file.txt"});
  expect_refused(into("/proc/pith-cannot-be-here"), 4, {"/proc"});
  expect_refused(into("/proc/pith-cannot-be-here/deeper"), 4, {"/proc"});
  EXPECT_EQ(file_contents(path("file.txt")), "kept");
}

TEST_F(BadPaths, output_that_is_a_file) {
  write("file.txt", "kept");
  expect_refused(into(path("file.txt")), 4, {"file.txt", "not a folder", "another --out"});
  EXPECT_EQ(file_contents(path("file.txt")), "kept");
}

TEST_F(BadPaths, output_with_a_name_that_cannot_be) {
  const std::string endless(300, 'x');
  expect_refused(into(path(endless)), 4, {"too long"});
  expect_refused(into(path(endless + "/y")), 4, {"too long"});
  expect_refused(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path(endless)}), 4, {"too long"});
}

TEST_F(BadPaths, outputs_of_the_other_commands) {
  write("file.txt", "kept");
  expect_refused(run_pith({"synth", "--items", "10", "--out", path("file.txt")}), 4, {"file.txt"});
  expect_refused(run_pith({"synth", "--items", "10", "--out", path("file.txt/sub")}), 4, {"file.txt"});
  expect_refused(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("")}), 4, {"is a folder"});
  expect_refused(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("no/g.pith")}), 4, {"no"});
  expect_refused(run_pith({"graph", "--embeddings", path("e.npy"), "--out", path("file.txt/g.pith")}), 4,
                 {"file.txt"});
  expect_refused(run_pith({"graph", "--embeddings", path("e.npy"), "--out", "/proc/g.pith"}), 4, {"/proc"});
  EXPECT_EQ(file_contents(path("file.txt")), "kept");
}

TEST_F(BadPaths, an_existing_folder_keeps_its_other_files) {
  fs::create_directories(path("out/sub"));
  write("out/notes.txt", "mine");
  write("out/sub/deep.txt", "mine too");
  write("out/indices.npy", "old");
  write("out/selection.csv", "old");
  write("out/summary.json", "old");
  EXPECT_EQ(selected({"--budget", "6"}).indices.size(), 6U);
  EXPECT_EQ(file_contents(path("out/notes.txt")), "mine");
  EXPECT_EQ(file_contents(path("out/sub/deep.txt")), "mine too");
  expect_no_leftovers();
  EXPECT_EQ(selected({"--budget", "7"}).indices.size(), 7U);
  EXPECT_EQ(std::distance(fs::directory_iterator(path("out")), {}), 5);
}

TEST_F(BadPaths, a_failed_run_leaves_an_existing_folder_as_it_was) {
  fs::create_directory(path("old"));
  write("old/summary.json", "old");
  const Outcome outcome = select({"--budget", "61"}, "old");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(file_contents(path("old/summary.json")), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(path("old")), {}), 1);
  expect_no_leftovers();
}

TEST_F(BadPaths, an_empty_folder_or_a_link_to_one_is_filled) {
  fs::create_directory(path("empty"));
  EXPECT_EQ(selected({"--budget", "6"}, "empty").indices.size(), 6U);
  fs::create_directory(path("real"));
  fs::create_directory_symlink(path("real"), path("link"));
  EXPECT_EQ(selected({"--budget", "6"}, "link").indices.size(), 6U);
  EXPECT_EQ(read_results(path("real")).indices.size(), 6U);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  expect_no_leftovers();
}

TEST_F(BadPaths, the_current_folder_and_relative_paths) {
  fs::create_directory(path("cwd"));
  const Arguments arguments = {"select", "--embeddings", "../e.npy", "--probs", "../p.npy", "--budget", "6"};
  for (const char* out : {".", "./a", "b/../c", "d//"}) {
    SCOPED_TRACE(out);
    const Outcome outcome = run_pith(arguments + Arguments{"--out", out}, path("cwd"));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_results(path("cwd") + "/" + (out == std::string("b/../c") ? "c" : out)).indices.size(),
              6U);
  }
  expect_no_leftovers();
}

TEST_F(BadPaths, a_full_standard_output_is_told) {
  const std::vector<Arguments> commands = {
      {"--help"},
      {"info", "--embeddings", path("e.npy"), "--json"},
      {"select", "--embeddings", path("e.npy"), "--probs", path("p.npy"), "--budget", "100%", "--json"}};
  for (const Arguments& arguments : commands) {
    const auto outcome = Process(arguments, ".", "/dev/full").wait(60);
    ASSERT_TRUE(outcome.has_value());
    expect_refused(*outcome, 4, {"No space left"});
  }
}

TEST_F(BadPaths, names_that_are_not_utf8_do_not_spoil_the_summary) {
  const std::string name = write("caf\xe9.npy", npy_f4(data_.embeddings, data_.items));
  const Outcome outcome = run_pith(
      {"select", "--embeddings", name, "--probs", path("p.npy"), "--budget", "6", "--out", path("out")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read_results(path("out")).indices.size(), 6U);
  const Outcome info = run_pith({"info", "--embeddings", name, "--json"});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_EQ(Json::parse(info.out)["embeddings"]["items"], 60);
}

}  // namespace
}  // namespace pith::testing
