#include "images/batches.h"

#include <algorithm>
#include <atomic>
#include <set>

#include "base/rng.h"
#include "images/packed_images.h"
#include "support/errors.h"

namespace pith::train {
namespace {

/// Item i is one pixel of value i.
Part numbered(std::size_t items) {
  std::vector<std::uint8_t> pixels(items);
  std::vector<std::uint32_t> labels(items);
  for (std::size_t at = 0; at < items; ++at) {
    pixels[at] = static_cast<std::uint8_t>(at);
    labels[at] = static_cast<std::uint32_t>(at);
  }
  return whole(std::make_shared<PackedImages>(InputShape{}, pixels), labels);
}

TEST(TrainingOrder, every_epoch_has_every_item_once_and_batches_are_alike) {
  const TrainingOrder order(10, 4, 10, 7);
  std::vector<Item> places;
  std::set<std::uint64_t> keys;
  for (std::size_t batch = 0; batch < order.batches(); ++batch) {
    const std::vector<Draw> draws = order.draws(batch);
    EXPECT_EQ(draws.size(), 4U);
    for (const Draw& draw : draws) {
      places.push_back(draw.place);
      keys.insert(draw.key);
    }
  }
  EXPECT_EQ(keys.size(), 40U) << "no two draws share their chance";
  for (std::size_t epoch = 0; epoch < 4; ++epoch) {
    std::vector<Item> own(places.begin() + static_cast<std::ptrdiff_t>(10 * epoch),
                          places.begin() + static_cast<std::ptrdiff_t>(10 * (epoch + 1)));
    std::sort(own.begin(), own.end());
    for (Item at = 0; at < 10; ++at) EXPECT_EQ(own[at], at);
  }
  EXPECT_NE(std::vector<Item>(places.begin(), places.begin() + 10),
            std::vector<Item>(places.begin() + 10, places.begin() + 20));
}

TEST(TrainingOrder, a_batch_may_be_larger_than_the_set) {
  const TrainingOrder order(3, 8, 2, 0);
  std::vector<std::size_t> counts(3);
  for (std::size_t batch = 0; batch < 2; ++batch)
    for (const Draw& draw : order.draws(batch)) ++counts[draw.place];
  EXPECT_EQ(*std::min_element(counts.begin(), counts.end()), 5U);
}

TEST(TrainingOrder, does_not_depend_on_who_asks_when) {
  const TrainingOrder forward(50, 8, 40, 3);
  const TrainingOrder backward(50, 8, 40, 3);
  std::vector<std::vector<Draw>> seen(40);
  for (std::size_t batch = 40; batch-- > 0;) seen[batch] = backward.draws(batch);
  for (std::size_t batch = 0; batch < 40; ++batch) {
    const std::vector<Draw> draws = forward.draws(batch);
    for (std::size_t at = 0; at < draws.size(); ++at) {
      EXPECT_EQ(draws[at].place, seen[batch][at].place);
      EXPECT_EQ(draws[at].key, seen[batch][at].key);
    }
  }
}

std::vector<float> everything(const Part& part, const BatchOrder& order, LoaderOptions options) {
  const pith::Run run;
  BatchLoader loader(part, order, options, run);
  std::vector<float> out;
  while (const Batch* batch = loader.next()) {
    EXPECT_EQ(batch->inputs.size(), batch->items * part.source->shape().values());
    out.insert(out.end(), batch->inputs.begin(), batch->inputs.end());
    for (const std::int64_t label : batch->labels) out.push_back(static_cast<float>(label));
  }
  return out;
}

TEST(BatchLoader, in_order_whatever_the_number_of_threads) {
  std::vector<std::uint8_t> pixels;
  for (std::size_t at = 0; at < 60 * 6 * 5 * 3; ++at)
    pixels.push_back(static_cast<std::uint8_t>(at * 37 % 251));
  std::vector<std::uint32_t> labels;
  for (std::uint32_t at = 0; at < 60; ++at) labels.push_back(at);
  const InputShape shape{.height = 6, .width = 5, .channels = 3};
  const Part part = whole(std::make_shared<PackedImages>(shape, pixels), labels);
  const TrainingOrder order(60, 7, 50, 11);
  LoaderOptions options{.augmentation = Augmentation::crop_and_flip};
  const std::vector<float> one = everything(part, order, options);
  EXPECT_EQ(one.size(), 50U * 7 * (shape.values() + 1));
  for (const unsigned threads : {2U, 3U, 8U}) {
    options.threads = threads;
    EXPECT_EQ(everything(part, order, options), one);
  }
  // Started later, it gives what is left.
  options.first_batch = 20;
  const std::vector<float> rest = everything(part, order, options);
  EXPECT_TRUE(std::equal(rest.begin(), rest.end(), one.end() - static_cast<std::ptrdiff_t>(rest.size())));
  EXPECT_EQ(rest.size(), one.size() / 50 * 30);
}

TEST(BatchLoader, the_last_batch_of_a_sequence_may_be_smaller) {
  const Part part = numbered(10);
  const SequentialOrder order(10, 4);
  const pith::Run run;
  BatchLoader loader(part, order, {}, run);
  std::vector<std::size_t> sizes;
  std::vector<std::int64_t> labels;
  while (const Batch* batch = loader.next()) {
    sizes.push_back(batch->items);
    labels.insert(labels.end(), batch->labels.begin(), batch->labels.end());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 4, 2}));
  for (std::size_t at = 0; at < 10; ++at) EXPECT_EQ(labels[at], static_cast<std::int64_t>(at));
  EXPECT_EQ(loader.next(), nullptr);
}

TEST(BatchLoader, may_be_left_early) {
  const Part part = numbered(200);
  const TrainingOrder order(200, 3, 1000, 1);
  const pith::Run run;
  BatchLoader loader(part, order, {.threads = 4}, run);
  EXPECT_NE(loader.next(), nullptr);
}

/// Throws on one item.
class Broken : public PackedImages {
 public:
  using PackedImages::PackedImages;
  void read(std::size_t index, Augmentation augmentation, std::uint64_t key, const Normaliser& normaliser,
            float* out) const override {
    if (index == 7) throw Error(ErrorKind::bad_input, "item 7 is damaged");
    PackedImages::read(index, augmentation, key, normaliser, out);
  }
};

TEST(BatchLoader, what_goes_wrong_in_a_thread_reaches_the_caller) {
  Part part = numbered(20);
  part.source = std::make_shared<Broken>(InputShape{}, std::vector<std::uint8_t>(20));
  const SequentialOrder order(20, 2);
  const pith::Run run;
  BatchLoader loader(part, order, {.threads = 3}, run);
  testing::expect_bad_input({"item 7"}, [&] {
    while (loader.next() != nullptr) {
    }
  });
}

TEST(BatchLoader, ends_when_cancelled) {
  const Part part = numbered(20);
  const TrainingOrder order(20, 2, 1000000, 0);
  const std::atomic<bool> cancelled{true};
  const pith::Run run{.threads = 1, .progress = {}, .cancelled = &cancelled};
  BatchLoader loader(part, order, {.threads = 2}, run);
  testing::expect_error(ErrorKind::interrupted, {}, [&] { static_cast<void>(loader.next()); });
}

TEST(PackedImages, moves_mirrors_and_leaves_black_behind) {
  // A 9 x 9 image of ones: the black border tells how far it moved.
  const InputShape shape{.height = 9, .width = 9, .channels = 1};
  const PackedImages images(shape, std::vector<std::uint8_t>(81, 255));
  const Normaliser plain({}, 1);
  std::set<std::size_t> bright;
  std::vector<float> out(81);
  for (std::uint64_t key = 0; key < 400; ++key) {
    images.read(0, Augmentation::crop_and_flip, key, plain, out.data());
    bright.insert(static_cast<std::size_t>(std::count(out.begin(), out.end(), 1.0F)));
  }
  // Moved by (a, b) leaves (9 - |a|)(9 - |b|) pixels, a and b up to 4.
  std::set<std::size_t> possible;
  for (std::size_t a = 5; a <= 9; ++a)
    for (std::size_t b = 5; b <= 9; ++b) possible.insert(a * b);
  EXPECT_EQ(bright, possible);
}

TEST(PackedImages, is_what_moving_pixel_by_pixel_gives) {
  const InputShape shape{.height = 5, .width = 7, .channels = 3};
  std::vector<std::uint8_t> pixels;
  for (std::size_t at = 0; at < shape.values(); ++at) pixels.push_back(static_cast<std::uint8_t>(1 + at));
  const PackedImages images(shape, pixels);
  const Normaliser normaliser({.mean = {0.1F, 0.2F, 0.3F}, .deviation = {0.5F, 2, 1}}, 3);
  std::vector<float> out(shape.values());
  std::set<std::vector<std::int64_t>> seen;
  for (std::uint64_t key = 0; key < 2000; ++key) {
    images.read(0, Augmentation::crop_and_flip, key, normaliser, out.data());
    Rng rng(key);
    const std::int64_t down = static_cast<std::int64_t>(rng.below(9)) - 4;
    const std::int64_t right = static_cast<std::int64_t>(rng.below(9)) - 4;
    const bool mirrored = rng.below(2) == 1;
    seen.insert({down, right, mirrored ? 1 : 0});
    for (std::int64_t y = 0; y < 5; ++y)
      for (std::int64_t x = 0; x < 7; ++x)
        for (std::uint32_t c = 0; c < 3; ++c) {
          const std::int64_t from_y = y + down;
          const std::int64_t from_x = (mirrored ? 6 - x : x) + right;
          const bool inside = from_y >= 0 && from_y < 5 && from_x >= 0 && from_x < 7;
          const std::uint8_t value =
              inside ? pixels[static_cast<std::size_t>((from_y * 7 + from_x) * 3 + c)] : 0;
          ASSERT_EQ(out[static_cast<std::size_t>((y * 7 + x) * 3 + c)], normaliser.of_byte(c, value)) << key;
        }
  }
  EXPECT_EQ(seen.size(), 162U) << "every move, mirrored or not";
}

TEST(PackedImages, mirrors_half_of_the_time_and_only_if_asked) {
  const InputShape shape{.height = 1, .width = 16, .channels = 1};
  std::vector<std::uint8_t> ramp;
  for (int at = 0; at < 16; ++at) ramp.push_back(static_cast<std::uint8_t>(10 + 10 * at));
  const PackedImages images(shape, ramp);
  const Normaliser plain({}, 1);
  const auto mirrored = [&](Augmentation augmentation) {
    int count = 0;
    int seen = 0;
    std::vector<float> out(16);
    for (std::uint64_t key = 0; key < 1000; ++key) {
      images.read(0, augmentation, key, plain, out.data());
      if (out[7] == 0) continue;  // moved up or down: all black
      ++seen;
      count += out[8] < out[7] ? 1 : 0;
    }
    return static_cast<double>(count) / seen;
  };
  EXPECT_EQ(mirrored(Augmentation::none), 0);
  EXPECT_EQ(mirrored(Augmentation::crop), 0);
  EXPECT_NEAR(mirrored(Augmentation::crop_and_flip), 0.5, 0.15);
}

}  // namespace
}  // namespace pith::train
