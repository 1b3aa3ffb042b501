#include "report/thumbnails.h"

#include <gtest/gtest.h>

#include "support/runs.h"
#include "support/temp_dir.h"
#include "support/tiny_png.h"

namespace pith {
namespace {

TEST(Thumbnails, of_images_and_of_nothing_else) {
  const testing::TempDir place;
  const std::string png = place.write("a.png", testing::tiny_png());
  const std::string cut = place.write("b.png", testing::tiny_png().substr(0, 60));
  const std::string text = place.write("c.png", "no image");
  const std::vector<std::string> pictures =
      make_thumbnails({png, cut, text, place.path("none.png"), place.path("")}, testing::with_threads(2));
  ASSERT_EQ(pictures.size(), 5U);
  if (!has_thumbnails()) GTEST_SKIP() << "built without libjpeg and libpng";
  EXPECT_TRUE(pictures[0].starts_with("data:image/jpeg;base64,/9j/")) << pictures[0];
  for (std::size_t at = 1; at < 5; ++at) EXPECT_EQ(pictures[at], "") << at;
}

}  // namespace
}  // namespace pith
