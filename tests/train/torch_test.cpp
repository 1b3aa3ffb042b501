// The tests that look at torch itself; the others do without its headers, which take the compiler half a
// minute.
#include <torch/script.h>

#include "network/modules.h"
#include "network/trainer.h"
#include "support/cli_case.h"
#include "support/errors.h"
#include "support/temp_dir.h"

namespace pith::train {
namespace {

using testing::expect_bad_input;
using testing::TempDir;

TEST(ConvNorm, joined_gives_what_the_two_gave) {
  torch::manual_seed(1);
  ConvNorm layer(3, 8, 3, 2);
  for (int round = 0; round < 5; ++round) layer->forward(torch::randn({4, 3, 10, 10}) * 3 + 1);
  layer->eval();
  const torch::NoGradGuard no_gradients;
  const torch::Tensor input = torch::randn({2, 3, 10, 10});
  const torch::Tensor apart = layer->forward(input);
  layer->join();
  const torch::Tensor joined = layer->forward(input);
  EXPECT_TRUE(torch::allclose(apart, joined, 1e-4, 1e-5));
  layer->separate();
  EXPECT_TRUE(torch::equal(layer->forward(input), apart));
}

/// A batch of two images of one pixel and three channels.
Batch two_pixels() {
  return {.items = 2, .inputs = {1, 2, 3, 4, 5, 6}, .labels = {0, 1}};
}

std::string save_script(const TempDir& place, const std::string& body) {
  torch::jit::Module module("mine");
  module.register_parameter("scale", torch::ones({1}), false);
  module.define("def forward(self, x):\n" + body);
  module.save(place.path("mine.pt"));
  return place.path("mine.pt");
}

constexpr InputShape pixel_shape{.height = 2, .width = 1, .channels = 3};

TEST(ScriptModel, with_embeddings_of_its_own) {
  const TempDir place;
  ScriptModel model(save_script(place, "  e = x.flatten(1) * self.scale\n  return (e, e[:, :2])\n"),
                    pixel_shape, "cpu");
  std::vector<float> embeddings;
  std::vector<float> probs;
  // One image of two pixels: the network sees the channels first.
  model.predict({.items = 1, .inputs = {1, 2, 3, 4, 5, 6}, .labels = {0}}, embeddings, probs);
  EXPECT_EQ(embeddings, (std::vector<float>{1, 4, 2, 5, 3, 6}));
  ASSERT_EQ(probs.size(), 2U);
  EXPECT_NEAR(probs[0], 1 / (1 + std::exp(3.0)), 1e-6);
  EXPECT_TRUE(model.has_embeddings());
}

TEST(ScriptModel, logits_stand_for_embeddings_where_there_are_none) {
  const TempDir place;
  ScriptModel model(save_script(place, "  return x * self.scale\n"), {.height = 1, .width = 1, .channels = 3},
                    "cpu");
  std::vector<float> embeddings;
  std::vector<float> probs;
  model.predict(two_pixels(), embeddings, probs);
  EXPECT_EQ(embeddings, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(probs.size(), 6U);
  EXPECT_FALSE(model.has_embeddings());
}

TEST(ScriptModel, what_does_not_fit_is_named) {
  const TempDir place;
  std::vector<float> embeddings;
  std::vector<float> probs;
  const auto predict = [&](const std::string& body) {
    ScriptModel model(save_script(place, body), {.height = 1, .width = 1, .channels = 3}, "cpu");
    model.predict(two_pixels(), embeddings, probs);
  };
  expect_bad_input({"mine.pt", "docs/train.md"}, [&] { predict("  return x.view([6, 1]) * self.scale\n"); });
  expect_bad_input({"mine.pt", "failed on the images"},
                   [&] { predict("  return x.view([7, 7]) * self.scale\n"); });
  expect_bad_input({"mine.pt", "docs/train.md"}, [&] { predict("  return 3\n"); });
  expect_bad_input({"none.pt", "TorchScript"},
                   [&] { ScriptModel model(place.write("none.pt", "hello"), {}, "cpu"); });
}

using ScriptCommand = testing::CliCase;

TEST_F(ScriptCommand, the_item_without_numbers_is_named) {
  const std::string network = save_script(place_, "  return x / x * self.scale\n");
  std::filesystem::create_directories(path("vec"));
  write("vec/x.npy", testing::npy_f4({1, 2, 3, 4, 5, 0, 7, 8}, 4));
  write("vec/y.npy", testing::npy_file("|u1", "(4,)", std::string("\0\1\0\1", 4)));
  const auto embed = [&](const char* mean) {
    return testing::run_pith({"embed", "--data", path("vec"), "--torchscript", network, "--mean", mean,
                              "--deviation", "1", "--out", path("out")});
  };
  expect_refused(embed("0"), 3,
                 {"mine.pt: item 2: the network gives NaN; correct it, or --mean and --deviation"});
  EXPECT_EQ(embed("0.5").code, 0);
}

}  // namespace
}  // namespace pith::train
