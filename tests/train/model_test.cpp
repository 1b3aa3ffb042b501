#include "network/model.h"

#include "network/schedule.h"
#include "network/trainer.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"
#include "support/tiny_images.h"

namespace pith::train {
namespace {

using testing::expect_bad_input;
using testing::expect_error;
using testing::TempDir;

ModelSpec images(const std::string& name, std::uint32_t classes, std::uint32_t side = 32) {
  return {.name = name, .input = {.height = side, .width = side, .channels = 3}, .classes = classes};
}

TEST(Models, have_as_many_weights_as_the_literature_says) {
  EXPECT_EQ(count_parameters(images("resnet8", 10)), 75290U);
  EXPECT_EQ(count_parameters(images("resnet20", 10)), 269722U);
  EXPECT_EQ(count_parameters(images("resnet32", 10)), 464154U);
  EXPECT_EQ(count_parameters(images("resnet44", 10)), 658586U);
  EXPECT_EQ(count_parameters(images("resnet56", 10)), 853018U);
  EXPECT_EQ(count_parameters(images("resnet50", 1000, 224)), 25557032U);
  EXPECT_EQ(count_parameters(images("cnn", 10)), 57130U);
  const InputShape vectors{.height = 1, .width = 1, .channels = 10};
  EXPECT_EQ(count_parameters({.name = "mlp", .input = vectors, .classes = 3}),
            10U * 256 + 256 + 256 * 64 + 64 + 64 * 3 + 3);
  EXPECT_EQ(count_parameters({.name = "softmax", .input = vectors, .classes = 3}), 33U);
}

TEST(Models, embed_into_as_many_dimensions_as_the_paper_says) {
  for (const char* name : {"cnn", "resnet8", "resnet20", "resnet32", "resnet44", "resnet56"})
    EXPECT_EQ(embedding_size(images(name, 10)), 64U) << name;
  EXPECT_EQ(embedding_size(images("resnet50", 10)), 2048U);
}

TEST(Models, every_one_gives_rows_of_probabilities) {
  for (const ModelInfo& model : models()) {
    ModelSpec spec = images(model.name, 7);
    if (model.name == "mlp" || model.name == "softmax") spec.input = {.height = 1, .width = 1, .channels = 5};
    Network network(spec, 1, "cpu");
    Batch batch{.items = 3, .inputs = std::vector<float>(3 * spec.input.values()), .labels = {}};
    Rng rng(1);
    for (float& value : batch.inputs) value = static_cast<float>(rng.normal());
    std::vector<float> embeddings;
    std::vector<float> probs;
    network.predict(batch, embeddings, probs);
    EXPECT_EQ(embeddings.size(), 3U * embedding_size(spec)) << model.name;
    ASSERT_EQ(probs.size(), 21U) << model.name;
    for (std::size_t row = 0; row < 3; ++row) {
      double sum = 0;
      for (std::size_t c = 0; c < 7; ++c) sum += probs[row * 7 + c];
      EXPECT_NEAR(sum, 1, 1e-5) << model.name;
    }
  }
}

TEST(Models, that_do_not_suit_the_data_are_refused) {
  expect_error(ErrorKind::bad_option, {"'resnet21'", "did you mean 'resnet20'"},
               [] { check_model(images("resnet21", 10)); });
  expect_error(ErrorKind::bad_option, {"--model cnn", "vectors", "mlp or softmax"}, [] {
    check_model({.name = "cnn", .input = {.height = 1, .width = 1, .channels = 9}, .classes = 2});
  });
  expect_error(ErrorKind::bad_option, {"resnet50", "too small"},
               [] { check_model(images("resnet50", 10, 28)); });
}

TEST(Schedule, one_cycle_rises_and_falls) {
  const TrainOptions options = quick_preset();
  EXPECT_LT(rate_at(options, 0, 1000), 0.03);
  EXPECT_NEAR(rate_at(options, 300, 1000), 0.3, 1e-3);
  EXPECT_NEAR(rate_at(options, 650, 1000), 0.15, 1e-3);
  EXPECT_LT(rate_at(options, 999, 1000), 1e-5);
  for (std::uint64_t step = 1; step < 1000; ++step)
    EXPECT_EQ(rate_at(options, step, 1000) > rate_at(options, step - 1, 1000), step <= 300) << step;
}

TEST(Schedule, of_the_paper_in_both_readings) {
  TrainOptions options = paper_train_preset(false);
  EXPECT_EQ(options.epochs, 450);
  const auto rate = [&](std::uint64_t epoch, std::uint64_t of_100 = 0) {
    return rate_at(options, epoch * 100 + of_100, 45000);
  };
  EXPECT_NEAR(rate(0), 1.0 / 1500, 1e-9);
  EXPECT_NEAR(rate(7, 49), 0.5, 1e-9);
  EXPECT_NEAR(rate(14, 99), 1, 1e-9);
  EXPECT_EQ(rate(15), 1);
  EXPECT_EQ(rate(199, 99), 1);
  EXPECT_NEAR(rate(200), 0.1, 1e-12);
  EXPECT_NEAR(rate(299, 99), 0.1, 1e-12);
  EXPECT_NEAR(rate(300), 0.01, 1e-12);
  EXPECT_NEAR(rate(400), 0.001, 1e-12);
  options.first_step = FirstStep::decay;
  EXPECT_EQ(rate(0), 1);
  EXPECT_EQ(rate(14, 99), 1);
  EXPECT_NEAR(rate(15), 0.1, 1e-12);
  EXPECT_NEAR(rate(200), 0.01, 1e-12);
  EXPECT_NEAR(rate(400), 0.0001, 1e-12);
  options = paper_train_preset(true);
  EXPECT_NEAR(rate_at(options, 30, 90), 0.01, 1e-12);
  EXPECT_NEAR(rate_at(options, 5, 90), 0.1, 1e-12);
  EXPECT_NEAR(rate_at(options, 1, 90), 0.04, 1e-12);
}

TEST(Schedule, steps_depend_on_the_size_alone) {
  TrainOptions options = quick_preset();
  EXPECT_EQ(options.steps_for(12800), 6000U);
  EXPECT_EQ(options.steps_for(100), 300U);
  options.least_steps = 0;
  EXPECT_EQ(options.steps_for(100), 47U);
  EXPECT_EQ(options.steps_for(1), 1U);
}

TEST(ModelFile, comes_back_as_it_was_saved) {
  const TempDir place;
  const ModelSpec spec{.name = "cnn",
                       .input = {.height = 12, .width = 12, .channels = 1},
                       .classes = 4,
                       .normalisation = {.mean = {0.25F}, .deviation = {0.5F}}};
  Network network(spec, 5, "cpu");
  const std::string path = place.path("m.safetensors");
  save_model_file(network.save(), path);
  const ModelFile file = load_model_file(path);
  EXPECT_EQ(file.spec.name, "cnn");
  EXPECT_EQ(file.spec.input, spec.input);
  EXPECT_EQ(file.spec.normalisation.mean, spec.normalisation.mean);
  Network again(file, path, "cpu");
  const ModelFile saved = network.save();
  const ModelFile resaved = again.save();
  ASSERT_EQ(saved.arrays.size(), resaved.arrays.size());
  for (std::size_t at = 0; at < saved.arrays.size(); ++at)
    EXPECT_EQ(saved.arrays[at].bytes, resaved.arrays[at].bytes);
}

TEST(ModelFile, damage_anywhere_is_noticed) {
  const TempDir place;
  const ModelSpec spec{.name = "softmax", .input = {.height = 1, .width = 1, .channels = 3}, .classes = 2};
  const std::string path = place.path("m.safetensors");
  save_model_file(Network(spec, 5, "cpu").save(), path);
  const std::string whole = testing::file_contents(path);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{7}, std::size_t{40}, whole.size() / 2, whole.size() - 1}) {
    static_cast<void>(place.write("m.safetensors", whole.substr(0, length)));
    expect_bad_input({"m.safetensors", "pith train"}, [&] { static_cast<void>(load_model_file(path)); });
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x11);
    static_cast<void>(place.write("m.safetensors", damaged));
    try {
      const ModelFile file = load_model_file(path);
      static_cast<void>(Network(file, path, "cpu"));
      // Only a name, a version or a blank can be hit without doing harm to the weights.
      EXPECT_LT(at, whole.size() - 8 * 4) << "a changed weight went unnoticed at byte " << at;
    } catch (const Error& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::bad_input || error.kind() == ErrorKind::bad_option)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace pith::train
