// Training and embedding throughput on images like CIFAR's, 50,000 made-up ones, batches of 128, all cores.
//
//   bench_train                                     every small network
//   bench_train MODEL train|embed|bare [SECONDS]    one figure, images a second, for bench/train_throughput
//
// Training comes with the share of it spent waiting for data, embedding with the bare network on one batch
// again and again.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "base/rng.h"
#include "images/packed_images.h"
#include "network/trainer.h"

namespace {

using namespace pith::train;
using Clock = std::chrono::steady_clock;

constexpr std::size_t items = 50000;
constexpr std::uint32_t classes = 10;
constexpr std::size_t batch_size = 128;

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

Part make_images() {
  const InputShape shape{.height = 32, .width = 32, .channels = 3};
  std::vector<std::uint8_t> pixels(items * shape.values());
  for (std::size_t at = 0; at < pixels.size(); ++at) pixels[at] = static_cast<std::uint8_t>(pith::mix64(at));
  std::vector<std::uint32_t> labels(items);
  for (std::size_t at = 0; at < items; ++at)
    labels[at] = static_cast<std::uint32_t>(pith::mix64(at) % classes);
  return whole(std::make_shared<PackedImages>(shape, std::move(pixels)), std::move(labels));
}

struct Figure {
  double images_a_second = 0;
  double waited_share = 0;
};

class Bench {
 public:
  Bench(const Part& part, const std::string& model)
      : part_(part), network_({.name = model, .input = part.source->shape(), .classes = classes}, 1, "cpu") {
    options_.batch = batch_size;
    options_.rate = 0.01;
  }

  /// Steps for about so many seconds, after a few to warm up. Loading and augmentation are part of it.
  Figure train(double seconds) {
    const TrainReport warm = train_network(network_, part_, options_, 5, {}, {});
    const auto steps = static_cast<std::uint64_t>(std::max(5.0, seconds * 5 / warm.seconds));
    const TrainReport report = train_network(network_, part_, options_, steps, {}, {});
    return {static_cast<double>(steps * batch_size) / report.seconds, report.waited_seconds / report.seconds};
  }

  /// What pith embed does, but for the files.
  Figure embed(double seconds) {
    const auto count = static_cast<std::size_t>(seconds * bare(0.2 * seconds).images_a_second);
    std::vector<pith::Item> places(std::clamp<std::size_t>(count, batch_size, items));
    for (std::size_t at = 0; at < places.size(); ++at) places[at] = static_cast<pith::Item>(at);
    const Part some = part_.subset(places);
    const auto started = Clock::now();
    const double waited = predict_all(
        network_, some, {}, [](std::size_t, const std::vector<float>&, const std::vector<float>&) {}, {});
    const double taken = seconds_since(started);
    return {static_cast<double>(some.size()) / taken, waited / taken};
  }

  /// The network alone, on one batch that is ready.
  Figure bare(double seconds) {
    Batch batch{.items = batch_size, .inputs = {}, .labels = {}};
    batch.inputs.assign(batch_size * part_.source->shape().values(), 0.5F);
    std::vector<float> embeddings;
    std::vector<float> probs;
    for (int round = 0; round < 3; ++round) network_.predict(batch, embeddings, probs);
    std::size_t rounds = 0;
    const auto started = Clock::now();
    do {
      network_.predict(batch, embeddings, probs);
      ++rounds;
    } while (seconds_since(started) < seconds);
    return {static_cast<double>(rounds * batch_size) / seconds_since(started), 0};
  }

 private:
  const Part& part_;
  Network network_;
  TrainOptions options_;
};

void print_all(const Part& part) {
  fmt::print("images a second, 32 x 32 x 3, batch {}\n", batch_size);
  fmt::print("{:<10}{:>8}{:>18}{:>10}{:>14}{:>8}\n", "network", "train", "waiting for data", "embed",
             "bare network", "ratio");
  for (const char* model : {"cnn", "resnet8", "resnet20"}) {
    Bench bench(part, model);
    const Figure train = bench.train(3);
    // In turns, because the machine may change its mind about its speed in between.
    double embed = 0;
    double bare = 0;
    for (int round = 0; round < 3; ++round) {
      embed = std::max(embed, bench.embed(1).images_a_second);
      bare = std::max(bare, bench.bare(1).images_a_second);
    }
    fmt::print("{:<10}{:>8.0f}{:>17.2f}%{:>10.0f}{:>14.0f}{:>8.2f}\n", model, train.images_a_second,
               100 * train.waited_share, embed, bare, embed / bare);
  }
}

}  // namespace

int main(int argc, char** argv) {
  prepare_torch(pith::Run{}.thread_count());
  const Part part = make_images();
  if (argc < 3) {
    print_all(part);
    return 0;
  }
  const std::string mode = argv[2];
  const double seconds = argc > 3 ? std::atof(argv[3]) : 3;
  Bench bench(part, argv[1]);
  const Figure figure = mode == "train"   ? bench.train(seconds)
                        : mode == "embed" ? bench.embed(seconds)
                                          : bench.bare(seconds);
  fmt::print("{:.1f} {:.4f}\n", figure.images_a_second, figure.waited_share);
  return 0;
}
