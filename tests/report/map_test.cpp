#include "report/map.h"

#include <gtest/gtest.h>

#include <set>

#include "pipeline/representatives.h"
#include "report/base64.h"
#include "report/columns.h"
#include "report/report.h"
#include "report/sections.h"

namespace pith {
namespace {

std::vector<PickRecord> picks_of(std::initializer_list<Item> items) {
  std::vector<PickRecord> picks;
  for (const Item item : items) {
    picks.emplace_back();
    picks.back().item = item;
  }
  return picks;
}

TEST(Map, shows_all_points_or_every_pick_and_a_sample) {
  EXPECT_EQ(choose_points(3, picks_of({1}), 3), (std::vector<Item>{0, 1, 2}));
  const std::vector<Item> points = choose_points(1000, picks_of({7, 999, 0}), 100);
  EXPECT_EQ(points.size(), 100U);
  EXPECT_TRUE(std::is_sorted(points.begin(), points.end()));
  const std::set<Item> set(points.begin(), points.end());
  EXPECT_EQ(set.size(), 100U);
  for (const Item pick : {7U, 999U, 0U}) EXPECT_TRUE(set.contains(pick));
  EXPECT_EQ(points, choose_points(1000, picks_of({7, 999, 0}), 100));
  std::vector<PickRecord> many;
  for (Item item = 0; item < 900; ++item) many.emplace_back().item = item;
  const std::vector<Item> mixed = choose_points(1000, many, 200);
  EXPECT_EQ(mixed.size(), 200U);
  EXPECT_EQ(std::count_if(mixed.begin(), mixed.end(), [](Item item) { return item < 900; }), 100)
      << "half picks, then others as far as there are any";
}

TEST(Map, is_kept_whole_or_not_at_all) {
  ItemMap map;
  map.items = {0, 2, 5};
  map.pca = {{1, 2}, {3, 4}, {5, 6}};
  map.pca_share = {0.5, 0.25};
  map.layout = {{-1, 0}, {0, 1}, {1, 1}};
  map.stands_for = {0, no_pick, 1};
  const std::string bytes = map_bytes(map, "a key");
  const auto back = parse_map(bytes, "a key");
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->items, map.items);
  EXPECT_EQ(back->pca, map.pca);
  EXPECT_EQ(back->pca_share, map.pca_share);
  EXPECT_EQ(back->layout, map.layout);
  EXPECT_EQ(back->stands_for, map.stands_for);
  EXPECT_FALSE(parse_map(bytes, "another key").has_value());
  ItemMap odd = map;
  odd.stands_for.pop_back();
  EXPECT_FALSE(parse_map(map_bytes(odd, "a key"), "a key").has_value()) << "parts of two lengths";
  odd = map;
  odd.items = {0, 5, 2};
  EXPECT_FALSE(parse_map(map_bytes(odd, "a key"), "a key").has_value()) << "items in no order";
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    EXPECT_FALSE(parse_map(bytes.substr(0, at), "a key").has_value());
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_FALSE(parse_map(damaged, "a key").has_value());
  }
}

TEST(Page, base64_of_every_length) {
  const auto of = [](std::string_view text) {
    return base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  EXPECT_EQ(of(""), "");
  EXPECT_EQ(of("f"), "Zg==");
  EXPECT_EQ(of("fo"), "Zm8=");
  EXPECT_EQ(of("foo"), "Zm9v");
  EXPECT_EQ(of("foobar"), "Zm9vYmFy");
  EXPECT_EQ(of("\xff\xfe\xfd"), "//79");
}

TEST(Page, columns_are_as_narrow_as_they_can_be) {
  EXPECT_EQ(whole_column(std::vector<std::uint32_t>{0, 255}).at("t"), "u8");
  EXPECT_EQ(whole_column(std::vector<std::uint32_t>{256}).at("t"), "u16");
  EXPECT_EQ(whole_column(std::vector<std::uint32_t>{65536}).at("t"), "u32");
  EXPECT_EQ(whole_column(std::vector<std::uint64_t>{1}).dump(), R"({"t":"u8","b":"AQ=="})");
}

TEST(Page, data_cannot_leave_its_script) {
  const std::string page = fill_page(R"({"name":"</script><script>alert(1)</script><!--"})");
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_NE(page.find(R"({"name":"\u003c/script>)"), std::string::npos);
  EXPECT_EQ(page.find("pith-data-goes-here"), std::string::npos);
  for (const char* outside : {"src=\"http", "href=\"http", "url(http", "@import", "fetch(", "XMLHttpRequest"})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  EXPECT_NE(page.find("Content-Security-Policy"), std::string::npos);
}

TEST(Page, extremes_share_no_pick) {
  RunFolder folder;
  for (const double uncertainty : {0.5, 0.1, 0.9, 0.1, 0.7})
    folder.picks.emplace_back().uncertainty = uncertainty;
  const Extremes extremes = find_extremes(folder, 12);
  EXPECT_EQ(extremes.certain, (std::vector<std::uint32_t>{1, 3, 0}));
  EXPECT_EQ(extremes.uncertain, (std::vector<std::uint32_t>{2, 4}));
  EXPECT_EQ(choose_listed(folder, {4, 1}).size(), 5U);
}

}  // namespace
}  // namespace pith
