#include "pipeline/run_folder.h"

#include <gtest/gtest.h>

#include "data/delimited.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

/// A run of two items, of which the second was chosen.
Selection one_pick() {
  Selection selection;
  selection.measured = false;
  selection.items = 2;
  selection.classes = 2;
  selection.requested = 1;
  selection.picks.push_back({.item = 1, .boundary = {}});
  return selection;
}

TEST(RunFolder, ids_come_back_as_they_were) {
  for (const std::string id : {"plain.jpg", " before", "after ", "a, b", "say \"a\"", "\"", "a b"}) {
    const std::vector<std::string> ids = {"other", id};
    const RunFolder folder = run_in_memory(one_pick(), ids, {}, {});
    ASSERT_EQ(folder.picks.size(), 1U);
    EXPECT_EQ(folder.picks[0].id, id);

    const std::string line = "x," + csv_field(id) + ",y\n";
    const Bytes file = testing::bytes_of_text(line, "l.csv");
    std::vector<std::string_view> fields;
    DelimitedReader reader(file, ',');
    ASSERT_TRUE(reader.next(fields));
    ASSERT_EQ(fields.size(), 3U) << line;
    EXPECT_EQ(fields[1], id);
  }
}

/// A run folder whose summary was changed by hand.
void expect_refused(const std::string& pointer, const nlohmann::json& value,
                    std::initializer_list<std::string_view> parts) {
  const testing::TempDir folder;
  Selection selection = one_pick();
  selection.measured = true;
  RunNotes notes;
  notes.inputs.push_back({.role = "probs", .path = "p.npy", .shape = "", .checksum = "0"});
  write_selection(folder.path("run"), selection, {}, notes, {});
  const std::string path = folder.path("run/summary.json");
  nlohmann::json summary = nlohmann::json::parse(testing::file_contents(path));
  ASSERT_NO_THROW(static_cast<void>(read_run_folder(folder.path("run"))));
  summary[nlohmann::json::json_pointer(pointer)] = value;
  static_cast<void>(folder.write("run/summary.json", summary.dump()));
  testing::expect_bad_input(parts, [&] { static_cast<void>(read_run_folder(folder.path("run"))); });
}

TEST(RunFolder, what_a_summary_cannot_say_is_named) {
  expect_refused("/inputs/probs/path", 5, {"summary.json", "/inputs/probs/path", "not a text"});
  expect_refused("/inputs/probs/checksum", nullptr, {"/inputs/probs/checksum", "not a text"});
  expect_refused("/inputs/probs/logits", "yes", {"/inputs/probs/logits", "true or false"});
  expect_refused("/coverage/mean_uncertainty", "much", {"/coverage/mean_uncertainty", "not a number"});
  expect_refused("/objective", nullptr, {"/objective", "gains"});
  expect_refused("/objective/uncertainty", "much", {"/objective/uncertainty", "not a number"});
  expect_refused("/items", std::uint64_t{1} << 32, {"/items is 4294967296", "4294967294"});
  expect_refused("/classes", UINT32_MAX, {"/classes is 4294967295", "4294967294"});
}

}  // namespace
}  // namespace pith
