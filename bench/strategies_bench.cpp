#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <set>
#include <string>

#include "base/peak_memory.h"
#include "cube_graph.h"
#include "pith/pith.h"
#include "strategy/registry.h"

// Every strategy on one dataset, as a multiple of the time of the exact graph in the same run: a mixture with
// class probabilities by three noisy models. And the most memory each holds beyond the input and the graph,
// in numbers (of 4 bytes) an item: badge's is to grow with D + L, not with D x L.
//
//   bench_strategies [items] [dimension] [classes] [strategy ...]

namespace {

struct Dataset {
  std::vector<float> rows;
  std::vector<std::vector<float>> models;
};

/// Heaps around random centres; a model's logits fall with the distance from the centres of the classes.
Dataset make_dataset(std::size_t n, std::size_t dimension, std::size_t classes) {
  std::mt19937_64 rng(7);
  std::normal_distribution<float> normal;
  std::vector<float> centers(classes * dimension);
  for (float& value : centers) value = normal(rng);
  Dataset data{.rows = std::vector<float>(n * dimension), .models = std::vector<std::vector<float>>(3)};
  for (auto& model : data.models) model.resize(n * classes);
  std::vector<float> logits(classes);
  for (std::size_t i = 0; i < n; ++i) {
    const float* center = centers.data() + rng() % classes * dimension;
    float* row = data.rows.data() + i * dimension;
    for (std::size_t d = 0; d < dimension; ++d) row[d] = center[d] + 0.9F * normal(rng);
    for (auto& model : data.models) {
      float largest = -1e30F;
      for (std::size_t c = 0; c < classes; ++c) {
        float product = 0;
        for (std::size_t d = 0; d < dimension; ++d) product += row[d] * centers[c * dimension + d];
        logits[c] = 0.12F * product + 0.7F * normal(rng);
        largest = std::max(largest, logits[c]);
      }
      float sum = 0;
      for (float& logit : logits) sum += logit = std::exp(logit - largest);
      for (std::size_t c = 0; c < classes; ++c) model[i * classes + c] = logits[c] / sum;
    }
  }
  return data;
}

double seconds_of_stage(const pith::Selection& selection, const char* stage) {
  for (const auto& [name, seconds] : selection.seconds)
    if (name == stage) return seconds;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 50'000;
  const std::size_t dimension = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 64;
  const std::size_t classes = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 100;
  std::set<std::string> wanted;
  for (int at = 4; at < argc; ++at) wanted.insert(argv[at]);

  const Dataset data = make_dataset(n, dimension, classes);
  pith::SelectInput input;
  input.embeddings = pith::Matrix::of_floats(data.rows, n, dimension, "mixture");
  for (const auto& model : data.models)
    input.probabilities.members.push_back(pith::Matrix::of_floats(model, n, classes, "model"));
  input.predictions = pith::read_predictions(input.probabilities, pith::UncertaintyKind::margin);

  double graph_seconds = 1e300;
  for (int round = 0; round < 2; ++round)
    graph_seconds = std::min(graph_seconds, bench::seconds_of([&] {
                               input.graph = pith::build_graph(input.embeddings, {.knn = pith::Knn::exact});
                             }));
  fmt::print("{} x {}, {} classes, 10%: exact graph {:.2f} s\n", n, dimension, classes, graph_seconds);
  for (const pith::Strategy& strategy : pith::strategies()) {
    if (!wanted.empty() && !wanted.contains(std::string(strategy.name))) continue;
    pith::SelectOptions options;
    options.strategy = strategy.name;
    options.budget.amount = 0.1;
    // Nothing measured beside the choosing, where the strategy itself needs no objective.
    options.measure = false;
    const pith::PeakMemory memory;
    const pith::Selection selection = pith::select(input, options);
    const double numbers = static_cast<double>(memory.bytes().value_or(0)) / 4 / static_cast<double>(n);
    const double seconds = seconds_of_stage(selection, "choose");
    fmt::print("{:<17} {:8.3f} s  {:6.2f} x the graph  {:7.0f} numbers an item\n", strategy.name, seconds,
               seconds / graph_seconds, numbers);
    std::fflush(stdout);
  }
}
