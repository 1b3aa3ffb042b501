#include "report/sections.h"

#include <gtest/gtest.h>

#include <limits>

#include "report/extent.h"
#include "support/page_data.h"

namespace pith {
namespace {

using testing::unpacked;

/// --class-cap 4294967296 is as good as none, and must not look like a cap of 0.
TEST(sections, caps_beyond_the_columns_are_the_most_these_hold) {
  RunFolder folder;
  nlohmann::json& rows = folder.summary["constraints"]["class"];
  for (const std::int64_t cap : {std::int64_t{3}, std::int64_t{1} << 32, std::int64_t{1} << 62})
    rows.push_back(
        {{"available", 7}, {"labelled", 0}, {"cap", cap}, {"cap_requested", cap}, {"selected", 3}});
  const PageJson section = groups_section(folder, "class");
  EXPECT_EQ(unpacked(section.at("cap")), (std::vector<double>{3, 4294967295.0, 4294967295.0}));
  EXPECT_EQ(unpacked(section.at("available")), (std::vector<double>{7, 7, 7}));
}

TEST(sections, places_on_the_grid_keep_their_shape) {
  const std::vector<Point> points = {{-1, 5}, {3, 5}, {1, 6}};
  const GridPlaces places(points);
  EXPECT_EQ(places.xs, (std::vector<std::uint16_t>{0, 65535, 32767}));
  EXPECT_EQ(places.ys, (std::vector<std::uint16_t>{0, 0, 16383}));
  const std::vector<Point> at_one_place(2, Point{7, 7});
  EXPECT_EQ(GridPlaces(at_one_place).xs, (std::vector<std::uint16_t>{0, 0}));
}

/// Squares of l2 embeddings beyond 1e19 are no floats, and so their PCA is no number.
TEST(sections, places_that_are_no_numbers_are_somewhere) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Point> points = {{nan, 0}, {1, nan}, {infinity, 2}, {-infinity, 1}};
  const GridPlaces places(points);
  EXPECT_EQ(places.xs[0], 0);
  EXPECT_EQ(places.ys[1], 0);
  EXPECT_EQ(places.xs.size(), 4U);
}

}  // namespace
}  // namespace pith
