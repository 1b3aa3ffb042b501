#include <algorithm>
#include <atomic>
#include <filesystem>

#include "network/trainer.h"
#include "support/errors.h"
#include "support/files.h"
#include "support/temp_dir.h"
#include "support/tiny_images.h"

namespace pith::train {
namespace {

using testing::expect_error;
using testing::TempDir;
using testing::TinyImages;

class Training : public ::testing::Test {
 protected:
  void SetUp() override {
    prepare_torch(2);
    options_.batch = 32;
    options_.seed = 3;
    spec_ = {.name = "resnet8",
             .input = {.height = TinyImages::side, .width = TinyImages::side, .channels = 1},
             .classes = TinyImages::classes,
             .normalisation = part_.source->measure(part_.indices)};
  }
  [[nodiscard]] Network fresh() const { return Network(spec_, options_.seed, "cpu"); }

  static std::string bytes_of(const Network& network) {
    std::string out;
    for (const NamedArray& array : network.save().arrays) out += array.name + array.bytes;
    return out;
  }

  TempDir place_;
  Part part_ = TinyImages(200, 1).part();
  TrainOptions options_;
  ModelSpec spec_;
  static constexpr std::uint64_t steps = 40;
};

TEST_F(Training, the_loss_falls_and_the_network_learns) {
  Network network = fresh();
  const Part test = TinyImages(200, 2).part();
  const Evaluation before = evaluate(network, test, spec_.normalisation, {});
  const TrainReport report = train_network(network, part_, options_, 60, {}, {});
  const Evaluation after = evaluate(network, test, spec_.normalisation, {});
  EXPECT_EQ(report.steps, 60U);
  EXPECT_EQ(report.epoch_losses.size(), 10U) << "60 steps of 32 are 9.6 epochs of 200";
  EXPECT_LT(report.epoch_losses.back(), 0.5 * report.epoch_losses.front());
  EXPECT_LT(after.loss, before.loss);
  EXPECT_GT(after.accuracy, 0.8);
  EXPECT_LT(before.accuracy, 0.6);
}

TEST_F(Training, the_same_seed_gives_the_same_weights_to_the_bit) {
  Network first = fresh();
  Network second = fresh();
  train_network(first, part_, options_, steps, {}, {.threads = 1, .progress = {}, .cancelled = nullptr});
  // More threads to prepare the data must not matter.
  train_network(second, part_, options_, steps, {}, {.threads = 4, .progress = {}, .cancelled = nullptr});
  EXPECT_EQ(bytes_of(first), bytes_of(second));
  options_.seed = 4;
  Network other = fresh();
  train_network(other, part_, options_, steps, {}, {});
  EXPECT_NE(bytes_of(first), bytes_of(other));
}

TEST_F(Training, resumed_after_any_interruption_it_ends_in_the_same_weights) {
  Network straight = fresh();
  const TrainReport whole = train_network(straight, part_, options_, steps, {}, {});
  const CheckpointPlan plan{.path = place_.path("c.safetensors"), .resume = true};
  std::size_t interruptions = 0;
  std::uint64_t resumed_at = 0;
  // Stopped every 9 steps; an epoch has 6.25, so each round gets one further.
  for (;;) {
    ASSERT_LT(interruptions, 20U) << "no progress from one round to the next";
    Network network = fresh();
    std::atomic<bool> cancelled{false};
    std::size_t seen = 0;
    const pith::Run run{.threads = 2,
                        .progress = [&](std::string_view, double, double) { cancelled = ++seen == 9; },
                        .cancelled = &cancelled};
    try {
      const TrainReport report = train_network(network, part_, options_, steps, plan, run);
      EXPECT_EQ(bytes_of(network), bytes_of(straight));
      EXPECT_EQ(report.epoch_losses, whole.epoch_losses);
      EXPECT_EQ(report.resumed_at, resumed_at);
      EXPECT_GT(resumed_at, 0U);
      break;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::interrupted) << error.what();
      ++interruptions;
      ASSERT_TRUE(std::filesystem::exists(plan.path));
      resumed_at = load_model_file(plan.path).training.at("step").get<std::uint64_t>();
    }
  }
  EXPECT_GE(interruptions, 3U);
}

TEST_F(Training, a_checkpoint_of_another_training_is_refused) {
  const CheckpointPlan plan{.path = place_.path("c.safetensors"), .resume = true};
  Network network = fresh();
  train_network(network, part_, options_, steps, plan, {});
  ASSERT_TRUE(std::filesystem::exists(plan.path));
  options_.rate = 0.2;
  expect_error(ErrorKind::bad_option, {"c.safetensors", "rate", "0.2", "remove the file"},
               [&] { train_network(network, part_, options_, steps, plan, {}); });
  options_.rate = 0.1;
  const Part smaller = part_.subset({1, 2, 3});
  expect_error(ErrorKind::bad_option, {"c.safetensors", "items"},
               [&] { train_network(network, smaller, options_, steps, plan, {}); });
  Part relabelled = part_;
  std::reverse(relabelled.labels.begin(), relabelled.labels.end());
  expect_error(ErrorKind::bad_option, {"c.safetensors", "items_hash"},
               [&] { train_network(network, relabelled, options_, steps, plan, {}); });
  ModelSpec larger = spec_;
  larger.input.height += 8;
  Network other(larger, options_.seed, "cpu");
  expect_error(ErrorKind::bad_option, {"c.safetensors", "height"},
               [&] { train_network(other, part_, options_, steps, plan, {}); });
  const std::string whole = testing::file_contents(plan.path);
  static_cast<void>(place_.write("c.safetensors", whole.substr(0, whole.size() - 3)));
  testing::expect_bad_input({"c.safetensors", "damaged"},
                            [&] { train_network(network, part_, options_, steps, plan, {}); });
}

TEST_F(Training, every_model_can_be_trained) {
  for (const ModelInfo& model : models()) {
    if (model.name == "resnet50") continue;  // takes larger images, and a minute
    spec_.name = model.name;
    Network network = fresh();
    const TrainReport report = train_network(network, part_, options_, 12, {}, {});
    EXPECT_FALSE(report.diverged) << model.name;
    EXPECT_LT(report.epoch_losses.back(), 2) << model.name;
  }
}

TEST_F(Training, a_rate_that_is_far_too_high_is_found_out) {
  options_.rate = 1000;
  options_.weight_decay = 0.9;
  Network network = fresh();
  const TrainReport report = train_network(network, part_, options_, 200, {}, {});
  EXPECT_TRUE(report.diverged);
  EXPECT_LT(report.steps, 200U) << "those it did";
}

TEST_F(Training, a_set_smaller_than_a_batch_will_do) {
  Network network = fresh();
  const TrainReport report = train_network(network, part_.subset({0, 5, 9}), options_, 5, {}, {});
  EXPECT_EQ(report.steps, 5U);
  expect_error(ErrorKind::bad_input, {"no items"},
               [&] { train_network(network, part_.subset({}), options_, 5, {}, {}); });
}

TEST_F(Training, a_network_goes_on_learning_after_it_was_asked) {
  Network asked = fresh();
  static_cast<void>(evaluate(asked, part_, spec_.normalisation, {}));
  Network not_asked = fresh();
  train_network(asked, part_, options_, 8, {}, {});
  train_network(not_asked, part_, options_, 8, {}, {});
  EXPECT_EQ(bytes_of(asked), bytes_of(not_asked));
}

TEST_F(Training, saved_and_loaded_it_predicts_the_same) {
  Network network = fresh();
  train_network(network, part_, options_, steps, {}, {});
  save_model_file(network.save(), place_.path("m.safetensors"));
  Network again(load_model_file(place_.path("m.safetensors")), "m", "cpu");
  const auto rows_of = [&](Network& one) {
    std::vector<float> rows;
    predict_all(one, part_, spec_.normalisation,
                [&](std::size_t, const std::vector<float>& e, const std::vector<float>& p) {
                  rows.insert(rows.end(), e.begin(), e.end());
                  rows.insert(rows.end(), p.begin(), p.end());
                },
                {});
    return rows;
  };
  EXPECT_EQ(rows_of(network), rows_of(again));
  EXPECT_EQ(rows_of(network).size(), 200U * (64 + 4));
}

}  // namespace
}  // namespace pith::train
