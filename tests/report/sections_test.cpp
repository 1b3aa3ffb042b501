#include "report/sections.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace pith
