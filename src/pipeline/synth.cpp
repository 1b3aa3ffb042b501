#include "pipeline/synth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "base/rng.h"

namespace pith {
namespace {

/// Within these the temperature of the predictions, about spread^2, is no 0 in double, and squared distances,
/// at most 2^29 spread^2 (draws stay below 9, K at 65536), are finite in single precision.
constexpr double least_spread = 1e-100;
constexpr double most_spread = 1e12;

/// Streams of random numbers that never meet: one for each purpose and item.
enum Stream : std::uint64_t {
  centers_stream = 1,
  shuffle_stream = 2,
  guess_stream = 3,
  directions_stream = 4,
  items_stream = 16
};

Rng stream_of(std::uint64_t seed, std::uint64_t stream) {
  return Rng(random_bits(seed, stream));
}

/// Unit-length on average, so that two centres lie about sqrt(2) apart; each odd class leans on the one
/// before it.
std::vector<float> make_centers(const SynthOptions& options) {
  Rng rng = stream_of(options.seed, centers_stream);
  const double scale = 1 / std::sqrt(static_cast<double>(options.dimension));
  std::vector<float> centers(static_cast<std::size_t>(options.classes) * options.dimension);
  for (std::size_t c = 0; c < options.classes; ++c)
    for (std::size_t d = 0; d < options.dimension; ++d) {
      const std::size_t at = c * options.dimension + d;
      const double own = rng.normal() * scale;
      centers[at] = static_cast<float>(c % 2 == 1 ? 0.6 * centers[at - options.dimension] + 0.8 * own : own);
    }
  return centers;
}

/// So that the noise has as much of every dimension, on average, as it would in all directions.
std::vector<float> make_directions(const SynthOptions& options) {
  Rng rng = stream_of(options.seed, directions_stream);
  std::vector<float> directions(std::size_t{options.classes} * options.dimension * options.intrinsic);
  for (float& value : directions)
    value = static_cast<float>(rng.normal() / std::sqrt(static_cast<double>(options.intrinsic)));
  return directions;
}

std::vector<std::uint32_t> make_labels(const SynthOptions& options) {
  std::vector<std::uint32_t> labels;
  labels.reserve(options.items);
  const auto sizes = long_tail_sizes(options.items, options.classes, options.long_tail);
  for (std::uint32_t c = 0; c < options.classes; ++c) labels.insert(labels.end(), sizes[c], c);
  Rng rng = stream_of(options.seed, shuffle_stream);
  for (std::size_t at = labels.size(); at > 1; --at) std::swap(labels[at - 1], labels[rng.below(at)]);
  return labels;
}

/// Softmax of -|x - centre|^2 / temperature over the centres as the classifier believes them to be.
void predict(const float* row, const std::vector<float>& beliefs, const SynthOptions& options,
             double temperature, float* out) {
  std::vector<double> logits(options.classes);
  for (std::size_t c = 0; c < options.classes; ++c) {
    const float* center = beliefs.data() + c * options.dimension;
    float squared = 0;
    for (std::size_t d = 0; d < options.dimension; ++d)
      squared += (row[d] - center[d]) * (row[d] - center[d]);
    logits[c] = -static_cast<double>(squared) / temperature;
  }
  const double top = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (double& logit : logits) sum += logit = std::exp(logit - top);
  for (std::size_t c = 0; c < options.classes; ++c) out[c] = static_cast<float>(logits[c] / sum);
}

}  // namespace

std::vector<std::string> SynthOptions::check() const {
  std::vector<std::string> problems;
  if (items < 1 || items >= 0xffffffffULL)
    problems.push_back(fmt::format("--items: {} given; write a number from 1 to 4294967294", items));
  if (dimension < 1 || dimension > 65536)
    problems.push_back(fmt::format("--dim: {} given; write a number from 1 to 65536", dimension));
  if (intrinsic > dimension)
    problems.push_back(
        fmt::format("--intrinsic: {} given, more than the {} dimensions there are", intrinsic, dimension));
  if (classes < 2) problems.push_back(fmt::format("--classes: {} given; at least 2 are needed", classes));
  if (classes > items)
    problems.push_back(fmt::format("--classes: {} given, more than there are items", classes));
  if (!(long_tail >= 1) || !std::isfinite(long_tail))
    problems.push_back(
        fmt::format("--long-tail: {} given; it must be at least 1 (1: all classes alike)", long_tail));
  if (!(spread >= least_spread && spread <= most_spread))
    problems.push_back(fmt::format("--spread: {} given; write a number from 1e-100 to 1e12", spread));
  return problems;
}

std::vector<std::uint64_t> long_tail_sizes(std::uint64_t items, std::uint32_t classes, double long_tail) {
  std::vector<double> weights(classes);
  for (std::uint32_t c = 0; c < classes; ++c)
    weights[c] = std::pow(long_tail, -static_cast<double>(c) / std::max(1U, classes - 1));
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::uint64_t> sizes(classes);
  std::uint64_t given = 0;
  for (std::uint32_t c = 0; c < classes; ++c) {
    sizes[c] = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(static_cast<double>(items) * weights[c] / total));
    given += sizes[c];
  }
  for (std::uint32_t c = 0; given < items; c = (c + 1) % classes, ++given) ++sizes[c];
  for (std::uint32_t c = 0; given > items; c = (c + 1) % classes)
    if (sizes[c] > 1) --sizes[c], --given;
  return sizes;
}

Synthesizer::Synthesizer(const SynthOptions& options)
    : options_(options),
      centers_(make_centers(options)),
      beliefs_(centers_),
      directions_(make_directions(options)),
      noise_(options.spread / std::sqrt(static_cast<double>(options.dimension))),
      temperature_(2 * noise_ * noise_ * std::sqrt(static_cast<double>(options.dimension))),
      labels_(make_labels(options)) {
  Rng guess = stream_of(options.seed, guess_stream);
  for (float& value : beliefs_) value += static_cast<float>(0.25 * noise_ * guess.normal());
}

void Synthesizer::make(std::size_t begin, std::size_t end, float* embeddings, float* probs,
                       const Run& run) const {
  const std::size_t dimension = options_.dimension;
  parallel_for(run, end - begin, 1024, [&](std::size_t first, std::size_t last, unsigned worker) {
    if (worker == 0)
      run.report("synth", static_cast<double>(begin + first), static_cast<double>(options_.items));
    for (std::size_t at = first; at < last; ++at) {
      Rng rng = stream_of(options_.seed, items_stream + begin + at);
      float* row = embeddings + at * dimension;
      const float* center = centers_.data() + std::size_t{labels_[begin + at]} * dimension;
      if (options_.intrinsic == 0) {
        for (std::size_t d = 0; d < dimension; ++d)
          row[d] = center[d] + static_cast<float>(noise_ * rng.normal());
      } else {
        std::vector<float> amounts(options_.intrinsic);
        for (float& amount : amounts) amount = static_cast<float>(noise_ * rng.normal());
        const float* direction =
            directions_.data() + std::size_t{labels_[begin + at]} * dimension * options_.intrinsic;
        for (std::size_t d = 0; d < dimension; ++d) {
          row[d] = center[d];
          for (const float amount : amounts) row[d] += amount * *direction++;
        }
      }
      predict(row, beliefs_, options_, temperature_, probs + at * options_.classes);
    }
  });
}

SynthData synthesize(const SynthOptions& options, const Run& run) {
  const Synthesizer synthesizer(options);
  SynthData data;
  data.labels = synthesizer.labels();
  data.embeddings.resize(options.items * options.dimension);
  data.probs.resize(options.items * options.classes);
  synthesizer.make(0, options.items, data.embeddings.data(), data.probs.data(), run);
  return data;
}

}  // namespace pith
