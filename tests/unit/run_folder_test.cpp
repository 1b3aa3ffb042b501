#include "pipeline/run_folder.h"

#include <gtest/gtest.h>

#include "data/delimited.h"

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
    const Bytes file{.data = std::as_bytes(std::span(line)), .owner = nullptr, .name = "l.csv"};
    std::vector<std::string_view> fields;
    DelimitedReader reader(file, ',');
    ASSERT_TRUE(reader.next(fields));
    ASSERT_EQ(fields.size(), 3U) << line;
    EXPECT_EQ(fields[1], id);
  }
}

}  // namespace
}  // namespace pith
