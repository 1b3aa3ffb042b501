#include "report/layout.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/rng.h"
#include "report/extent.h"

namespace pith {
namespace {

/// Two items at distance d are as close as 1 / (1 + a d^2): UMAP's curve with b = 1, which needs no power.
constexpr float curve = 1.6F;
/// Strangers' pushes for each unit of pull. UMAP: five strangers for each pull, which moves both ends.
constexpr float push_share = 2.5F;
constexpr float longest_push = 4.0F;
constexpr float extent = 10.0F;  ///< of the start, along its longer side
constexpr std::size_t chunk = 512;

struct Scale {
  float nearest = 0;
  float width = 1;
};

/// The scale of one item's pulls: bisection on a sum that grows with it.
Scale find_scale(std::vector<float>& lengths, std::size_t wanted) {
  Scale scale;
  if (lengths.empty()) return scale;
  const std::size_t count = std::min(wanted, lengths.size());
  std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(count - 1), lengths.end());
  std::sort(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(count));
  scale.nearest = lengths[0];
  double mean = 0;
  for (std::size_t at = 0; at < count; ++at)
    mean += static_cast<double>(lengths[at]) / static_cast<double>(count);
  const double target = std::log2(static_cast<double>(std::max<std::size_t>(count, 2)));
  double low = 0;
  double high = std::max(mean, 1e-12) * 1000;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (std::size_t at = 0; at < count; ++at)
      sum += std::exp(-static_cast<double>(lengths[at] - scale.nearest) / middle);
    (sum < target ? low : high) = middle;
  }
  // Where all lie at one distance no scale does it; any positive one gives full pulls.
  scale.width = static_cast<float>(std::max(high, 1e-3 * std::max(mean, 1e-12)));
  return scale;
}

float pull_of(float length, const Scale& scale) {
  return std::exp(-std::max(0.0F, length - scale.nearest) / scale.width);
}

std::vector<Point> starting_places(std::size_t n, std::span<const Point> start, std::uint64_t seed) {
  std::vector<Point> places(start.begin(), start.end());
  if (places.size() != n) {
    places.resize(n);
    for (std::size_t item = 0; item < n; ++item)
      places[item] = {static_cast<float>(random_unit(seed, 2 * item)),
                      static_cast<float>(random_unit(seed, 2 * item + 1))};
  }
  const Extent found(places);
  for (std::size_t item = 0; item < n; ++item) {
    // A little noise parts items that start at one place.
    const auto jitter = [&](std::uint64_t axis) {
      return 1e-3F * static_cast<float>(random_unit(seed ^ 0x6a, 2 * item + axis) - 0.5);
    };
    places[item] = {extent * ((places[item].x - found.low.x) / found.side + jitter(0)),
                    extent * ((places[item].y - found.low.y) / found.side + jitter(1))};
  }
  return places;
}

/// One epoch's step of one item.
class Forces {
 public:
  Forces(const Graph& graph, std::span<const float> weights, const LayoutOptions& options)
      : graph_(graph), weights_(weights), options_(options) {}

  [[nodiscard]] Point step_of(Item item, const std::vector<Point>& places, std::uint64_t epoch) const {
    const Point here = places[item];
    const std::uint64_t first = graph_.offsets()[item];
    const std::span<const Item> row = graph_.neighbors(item);
    Point pull;
    float total = 0;
    for (std::size_t at = 0; at < row.size(); ++at) {
      const float weight = weights_[first + at];
      const Point there = places[row[at]];
      const float dx = there.x - here.x;
      const float dy = there.y - here.y;
      const float square = dx * dx + dy * dy;
      total += weight;
      // The slope of log(1 + a d^2), per unit of distance.
      const float force = weight * 2 * curve / (1 + curve * square);
      pull.x += force * dx;
      pull.y += force * dy;
    }
    Point push;
    for (std::uint32_t draw = 0; draw < options_.strangers; ++draw) {
      const std::uint64_t bits =
          random_bits(options_.seed + epoch, std::uint64_t{item} * options_.strangers + draw);
      const auto stranger = static_cast<Item>((bits >> 32) * places.size() >> 32);
      if (stranger == item) continue;
      const Point there = places[stranger];
      const float dx = here.x - there.x;
      const float dy = here.y - there.y;
      const float square = dx * dx + dy * dy;
      // Likewise of -log(1 - 1 / (1 + a d^2)).
      const float force = 2 / ((0.001F + square) * (1 + curve * square));
      push.x += std::clamp(force * dx, -longest_push, longest_push);
      push.y += std::clamp(force * dy, -longest_push, longest_push);
    }
    const float pull_scale = total > 0 ? 1 / total : 0;
    const float push_scale = push_share / static_cast<float>(std::max(options_.strangers, 1U));
    return {pull.x * pull_scale + push.x * push_scale, pull.y * pull_scale + push.y * push_scale};
  }

 private:
  const Graph& graph_;
  std::span<const float> weights_;
  const LayoutOptions& options_;
};

}  // namespace

std::vector<float> pull_weights(const Graph& graph, const Run& run) {
  const std::size_t n = graph.size();
  const std::size_t wanted = std::max<std::size_t>(graph.info().neighbors, 2);
  std::vector<Scale> scales(n);
  parallel_for(run, n, chunk, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    std::vector<float> lengths;
    for (std::size_t item = begin; item < end; ++item) {
      const auto row = graph.dissimilarities(static_cast<Item>(item));
      lengths.assign(row.begin(), row.end());
      scales[item] = find_scale(lengths, wanted);
    }
  });
  std::vector<float> weights(graph.all_neighbors().size());
  parallel_for(run, n, chunk, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    for (std::size_t item = begin; item < end; ++item) {
      const auto row = graph.neighbors(static_cast<Item>(item));
      const auto lengths = graph.dissimilarities(static_cast<Item>(item));
      for (std::size_t at = 0; at < row.size(); ++at) {
        const float a = pull_of(lengths[at], scales[std::min<std::size_t>(item, row[at])]);
        const float b = pull_of(lengths[at], scales[std::max<std::size_t>(item, row[at])]);
        weights[graph.offsets()[item] + at] = a + b - a * b;
      }
    }
  });
  return weights;
}

std::vector<Point> find_layout(const Graph& graph, std::span<const Point> start, const LayoutOptions& options,
                               const Run& run) {
  const std::size_t n = graph.size();
  if (n == 0) return {};
  const std::vector<float> weights = pull_weights(graph, run);
  std::vector<Point> places = starting_places(n, start, options.seed);
  std::vector<Point> moved(n);
  const std::uint32_t epochs = options.epochs != 0 ? options.epochs : n <= 10'000 ? 500U : 300U;
  const Forces forces(graph, weights, options);
  for (std::uint32_t epoch = 0; epoch < epochs; ++epoch) {
    run.report("layout", epoch, epochs);
    const float rate = 1 - static_cast<float>(epoch) / static_cast<float>(epochs);
    parallel_for(run, n, chunk, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
      for (std::size_t item = begin; item < end; ++item) {
        const Point step = forces.step_of(static_cast<Item>(item), places, epoch);
        moved[item] = {places[item].x + rate * step.x, places[item].y + rate * step.y};
      }
    });
    places.swap(moved);
  }
  run.report("layout", 1, 1);
  return places;
}

}  // namespace pith
