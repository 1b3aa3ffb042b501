#include "ranks/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "pith/error.h"
#include "ranks/packet_reader.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

namespace fs = std::filesystem;
using testing::TempDir;

SavedRows two_rows() {
  SavedRows saved;
  saved.rows.offsets = {0, 1, 3};
  saved.rows.neighbors = {1, 0, 7};
  saved.rows.dissimilarities = {0.5F, 0.5F, 0.25F};
  saved.info.method = "exact";
  return saved;
}

TEST(Checkpoints, rows_come_back_whole_or_in_part) {
  const TempDir place;
  Checkpoints saved(place.path("work"), "this one", 0);
  saved.save_rows(4, two_rows());
  const auto both = saved.load_rows(4, 6);
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->rows.neighbors, two_rows().rows.neighbors);
  EXPECT_EQ(both->info.method, "exact");
  const auto second = saved.load_rows(5, 6);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->rows.neighbors, (std::vector<Item>{0, 7}));
  EXPECT_FALSE(saved.load_rows(4, 7).has_value());
  EXPECT_FALSE(Checkpoints(place.path("work"), "another", 0).load_rows(4, 6).has_value());
}

TEST(Checkpoints, a_file_under_the_name_of_more_rows_than_it_has_is_as_good_as_none) {
  const TempDir place;
  Checkpoints saved(place.path("work"), "this one", 0);
  saved.save_rows(0, two_rows());
  fs::rename(place.path("work/rows-0-2"), place.path("work/rows-0-500"));
  EXPECT_FALSE(saved.load_rows(0, 500).has_value());
}

TEST(Checkpoints, what_was_met_counts_where_it_is_of_this_many_neighbours) {
  const TempDir place;
  Checkpoints saved(place.path("work"), "this one", 0);
  MetRows met(0, 2, 3);
  met.note_met(0, 10);
  met.counts = {3, 1};
  saved.save_met({met}, 3);
  const auto found = saved.load_met(0, 2, 3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].counts, met.counts);
  EXPECT_TRUE(saved.load_met(0, 2, 4).empty());
  // More neighbours than there are places for.
  met.counts = {3, 4};
  saved.save_met({met}, 3);
  EXPECT_TRUE(saved.load_met(0, 2, 3).empty());
}

TEST(PacketReader, what_promises_more_than_is_there_is_an_error) {
  Packet bytes;
  append_value(bytes, std::uint64_t{1} << 62);
  append_value(bytes, std::uint32_t{7});
  EXPECT_THROW((void)PacketReader(bytes).many<double>(), Error);
  EXPECT_THROW((void)PacketReader(bytes).text(), Error);
  PacketReader reader(bytes);
  reader.skip(8);
  EXPECT_EQ(reader.value<std::uint32_t>(), 7U);
  EXPECT_THROW((void)reader.value<char>(), Error);
}

}  // namespace
}  // namespace pith
