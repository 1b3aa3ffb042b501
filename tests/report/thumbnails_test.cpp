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
      Thumbnails().make({png, cut, text, place.path("none.png"), place.path("")}, testing::with_threads(2));
  ASSERT_EQ(pictures.size(), 5U);
  if (!Thumbnails::possible()) GTEST_SKIP() << "built without libjpeg and libpng";
  EXPECT_TRUE(pictures[0].starts_with("data:image/jpeg;base64,/9j/")) << pictures[0];
  for (std::size_t at = 1; at < 5; ++at) EXPECT_EQ(pictures[at], "") << at;
}

TEST(Thumbnails, of_images_that_a_dataset_packs_together) {
  if (!Thumbnails::possible()) GTEST_SKIP() << "built without libjpeg and libpng";
  const testing::TempDir place;
  std::string records;
  for (const char shade : {'\x10', '\xf0'}) records += std::string(2, '\0') + std::string(3072, shade);
  for (const char* name : {"train.bin", "test.bin"}) static_cast<void>(place.write(name, records));
  const std::string folder = place.path("");
  const Thumbnails thumbnails;
  const std::vector<std::string> pictures =
      thumbnails.make({folder + "#train:0", folder + "#train:1", folder + "#test:1", folder + "#train:2",
                       folder + "#train:-1", place.path("none") + "#train:0"},
                      testing::with_threads(2));
  EXPECT_TRUE(pictures[0].starts_with("data:image/jpeg;base64,/9j/")) << pictures[0];
  EXPECT_NE(pictures[1], pictures[0]);
  EXPECT_EQ(pictures[2], pictures[1]);
  for (std::size_t at = 3; at < pictures.size(); ++at) EXPECT_EQ(pictures[at], "") << at;
}

}  // namespace
}  // namespace pith
