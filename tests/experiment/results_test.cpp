#include "experiment/results.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/cells.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith::train {
namespace {

using testing::cell;
using testing::expect_error;
using testing::file_contents;
using testing::TempDir;
using Json = nlohmann::ordered_json;

const Json setting = {{"model", "cnn"}, {"epochs", 3}};

void expect_equal(const CellResult& a, const CellResult& b) {
  EXPECT_EQ(to_json_line(a), to_json_line(b));
}

TEST(Results, come_back_as_they_were_put_in) {
  const TempDir place;
  const CellResult first = cell(2, "10%", "random", 1.0 / 3);
  {
    ResultsStore store(place.path("out"), setting);
    store.add(first);
    store.add(cell(0, "500", "mine", 0.25));
  }
  const ResultsStore store(place.path("out"), setting);
  ASSERT_EQ(store.results().size(), 2U);
  expect_equal(store.results()[0], first);
  EXPECT_EQ(store.results()[0].accuracy, 1.0 / 3);
  EXPECT_TRUE(store.has(first.key, first.options));
  EXPECT_FALSE(store.has({.trial = 3, .budget = "10%", .variant = "random"}, first.options));
  EXPECT_EQ(read_results(place.path("out")).size(), 2U);
}

TEST(Results, a_line_cut_short_at_any_byte_is_dropped_and_nothing_else) {
  const TempDir place;
  {
    ResultsStore store(place.path("out"), setting);
    store.add(cell(0, "10%", "random", 0.5));
    store.add(cell(1, "10%", "random", 0.6));
  }
  const std::string path = place.path("out/results.jsonl");
  const std::string whole = file_contents(path);
  const std::size_t first_line = whole.find('\n') + 1;
  for (std::size_t cut = first_line; cut < whole.size(); ++cut) {
    static_cast<void>(place.write("out/results.jsonl", whole.substr(0, cut)));
    EXPECT_EQ(read_results(place.path("out")).size(), 1U) << cut;
    ResultsStore store(place.path("out"), setting);
    ASSERT_EQ(store.results().size(), 1U) << cut;
    store.add(cell(1, "10%", "random", 0.6));
    ASSERT_EQ(file_contents(path), whole) << cut;
  }
}

TEST(Results, are_on_disk_when_add_returns_even_if_the_process_is_killed) {
  const TempDir place;
  const pid_t child = ::fork();
  if (child == 0) {
    ResultsStore store(place.path("out"), setting);
    store.add(cell(0, "10%", "random", 0.5));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(ResultsStore(place.path("out"), setting).results().size(), 1U);
}

TEST(Results, another_setting_is_refused_with_what_differs) {
  const TempDir place;
  { const ResultsStore store(place.path("out"), setting); }
  expect_error(ErrorKind::bad_option, {"epochs was 3, now 4", "another --out"}, [&] {
    const ResultsStore store(place.path("out"), Json{{"model", "cnn"}, {"epochs", 4}});
  });
  expect_error(ErrorKind::bad_option, {"momentum was not given, now 0.9"}, [&] {
    const ResultsStore store(place.path("out"), Json{{"model", "cnn"}, {"epochs", 3}, {"momentum", 0.9}});
  });
  expect_error(ErrorKind::bad_option, {"epochs was 3, now not given"}, [&] {
    const ResultsStore store(place.path("out"), Json{{"model", "cnn"}});
  });
}

TEST(Results, a_name_must_keep_its_meaning) {
  const TempDir place;
  ResultsStore store(place.path("out"), setting);
  store.add(cell(0, "10%", "mine", 0.5));
  expect_error(ErrorKind::bad_option, {"variant 'mine'", "another name"}, [&] {
    static_cast<void>(
        store.has({.trial = 0, .budget = "10%", .variant = "mine"}, "--strategy mine --gamma 0.3"));
  });
}

TEST(Results, two_experiments_cannot_write_to_one_folder) {
  const TempDir place;
  const ResultsStore store(place.path("out"), setting);
  expect_error(ErrorKind::io, {"another experiment is writing here"},
               [&] { const ResultsStore second(place.path("out"), setting); });
}

TEST(Results, a_damaged_line_in_the_middle_is_not_overlooked) {
  const TempDir place;
  {
    ResultsStore store(place.path("out"), setting);
    store.add(cell(0, "10%", "random", 0.5));
  }
  const std::string path = place.path("out/results.jsonl");
  const std::string line = file_contents(path);
  static_cast<void>(place.write("out/results.jsonl", line + "{\"trial\": 1}\n" + line));
  expect_error(ErrorKind::bad_input, {"results.jsonl", "line 2", "done again"},
               [&] { const ResultsStore store(place.path("out"), setting); });
  static_cast<void>(place.write("out/results.jsonl", line + "nonsense\n"));
  expect_error(ErrorKind::bad_input, {"results.jsonl", "line 2"},
               [&] { static_cast<void>(read_results(place.path("out"))); });
}

TEST(Results, a_training_that_went_astray_keeps_its_line) {
  CellResult astray = cell(0, "10%", "random", 0.1);
  astray.loss = std::nan("");
  EXPECT_TRUE(std::isnan(parse_json_line(to_json_line(astray), "here").loss));
}

/// A path may be any bytes, and so may a name.
TEST(Results, keep_words_that_are_no_utf8) {
  const TempDir place;
  const Json odd = {{"data", "/data/caf\xe9"}};
  CellResult first = cell(0, "10%", "m\xff", 0.5);
  first.options = "--strategy margin --class-cap caf\xe9.csv";
  {
    ResultsStore store(place.path("out"), odd);
    store.add(first);
    EXPECT_TRUE(store.has(first.key, first.options));
  }
  {
    const ResultsStore store(place.path("out"), odd);
    EXPECT_TRUE(store.has(first.key, first.options));
    EXPECT_FALSE(store.has({.trial = 0, .budget = "10%", .variant = "n\xff"}, first.options));
  }
  expect_error(ErrorKind::bad_option, {"data was", "now"}, [&] {
    const ResultsStore other(place.path("out"), Json{{"data", "/data/the\xe9"}});
  });
}

TEST(Results, csv_quotes_what_needs_it) {
  CellResult odd = cell(0, "10%", "a,\"b\"", 0.5);
  const std::string csv = results_csv({odd});
  EXPECT_NE(csv.find("0,10%,\"a,\"\"b\"\"\","), std::string::npos) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
}

TEST(Results, of_a_folder_that_has_none) {
  const TempDir place;
  expect_error(ErrorKind::io, {"results.jsonl", "pith experiment"},
               [&] { static_cast<void>(read_results(place.path("nowhere"))); });
}

}  // namespace
}  // namespace pith::train
