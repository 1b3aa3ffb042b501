#include <gtest/gtest.h>

#include <numeric>

#include "support/instances.h"

namespace pith {
namespace {

using testing::Instance;
using testing::random_instance;

constexpr std::uint64_t instances = 2000;

std::vector<Item> random_set(Rng& rng, std::size_t n, double share) {
  std::vector<Item> set;
  for (Item item = 0; item < n; ++item)
    if (rng.unit() < share) set.push_back(item);
  return set;
}

/// f straight from METHOD.md: pairs and triples of the set, no state, no shared code but the edge lengths.
double definition(const Instance& instance, const std::vector<Item>& set) {
  const Graph& graph = instance.graph;
  const auto edge = [&](Item a, Item b) -> const float* {
    const auto row = graph.neighbors(a);
    const auto found = std::find(row.begin(), row.end(), b);
    return found == row.end() ? nullptr
                              : &graph.dissimilarities(a)[static_cast<std::size_t>(found - row.begin())];
  };
  double largest = 0;
  for (Item item = 0; item < graph.size(); ++item) {
    double degree = 0;
    for (const float d : graph.dissimilarities(item)) degree += graph.similarity(d);
    largest = std::max(largest, degree);
  }
  std::vector<double> corners(graph.size(), 0);
  for (Item a = 0; a < graph.size(); ++a)
    for (Item b = a + 1; b < graph.size(); ++b)
      for (Item c = b + 1; c < graph.size(); ++c)
        if (edge(a, b) != nullptr && edge(b, c) != nullptr && edge(a, c) != nullptr)
          for (const Item corner : {a, b, c}) corners[corner] += 1;
  double scale = 1;
  const double total = std::accumulate(corners.begin(), corners.end(), 0.0);
  if (total > 0 && instance.weights.triple_scale == TripleScale::max)
    scale = *std::max_element(corners.begin(), corners.end());
  if (total > 0 && instance.weights.triple_scale == TripleScale::mean)
    scale = total / static_cast<double>(graph.size());

  double uncertainty = 0;
  double diversity = 0;
  double triple = 0;
  for (std::size_t x = 0; x < set.size(); ++x) {
    uncertainty += instance.predictions.margin[set[x]];
    diversity += largest;
    triple += corners[set[x]];
    for (std::size_t y = x + 1; y < set.size(); ++y) {
      const float* xy = edge(set[x], set[y]);
      if (xy == nullptr) continue;
      diversity -= instance.weights.gamma * graph.similarity(*xy);
      for (std::size_t z = y + 1; z < set.size(); ++z) {
        const float* xz = edge(set[x], set[z]);
        const float* yz = edge(set[y], set[z]);
        if (xz == nullptr || yz == nullptr) continue;
        const double area = triangle_area(graph.length(*xy), graph.length(*xz), graph.length(*yz));
        if (area < instance.triangles.area_threshold) triple -= instance.weights.eta;
      }
    }
  }
  const auto& lambda = instance.weights.lambda;
  return lambda[0] * uncertainty + lambda[1] * diversity + lambda[2] * triple / scale;
}

TEST(objective_property, value_is_the_definition) {
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_instance(seed, 1, 12, false);
    Rng rng(seed + 1'000'000);
    const std::vector<Item> set = random_set(rng, instance.graph.size(), 0.6);
    ASSERT_NEAR(instance.objective().value(set), definition(instance, set), 1e-9);
  }
}

TEST(objective_property, gain_is_the_difference_of_values) {
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const bool dyadic = seed % 2 == 0;
    const Instance instance = random_instance(seed, 1, 14, dyadic);
    const Objective objective = instance.objective();
    ObjectiveState state(objective);
    Rng rng(seed);
    std::vector<Item> set;
    for (int step = 0; step < 30; ++step) {
      const auto item = static_cast<Item>(rng.below(instance.graph.size()));
      const double before = objective.value(set);
      const bool inside = state.set().contains(item);
      const double gain = state.gain(item);
      if (inside) {
        std::erase(set, item);
        state.remove(item);
      } else {
        set.push_back(item);
        state.add(item);
      }
      const double change = inside ? before - objective.value(set) : objective.value(set) - before;
      if (dyadic) {
        ASSERT_EQ(gain, change);
      } else {
        ASSERT_NEAR(gain, change, 1e-9);
      }
      ASSERT_EQ(state.gain(item), gain) << "membership of the item itself must not change its gain";
    }
  }
}

TEST(objective_property, monotone_and_submodular_to_the_last_bit) {
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_instance(seed, 2, 14, false);
    const Objective objective = instance.objective();
    ObjectiveState state(objective);
    Rng rng(seed);
    std::vector<double> last(instance.graph.size());
    for (Item item = 0; item < last.size(); ++item) last[item] = state.gain(item);
    for (const Item added : random_set(rng, last.size(), 0.8)) {
      state.add(added);
      for (Item item = 0; item < last.size(); ++item) {
        if (state.set().contains(item)) continue;
        ASSERT_GE(state.gain(item), 0);
        ASSERT_LE(state.gain(item), last[item]);
        ASSERT_GE(state.gain(item), objective.least_gain(item));
        last[item] = state.gain(item);
      }
    }
  }
}

TEST(objective_property, gains_do_not_depend_on_the_order) {
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_instance(seed, 2, 14, false);
    const Objective objective = instance.objective();
    Rng rng(seed);
    std::vector<Item> set = random_set(rng, instance.graph.size(), 0.5);
    ObjectiveState forward(objective);
    for (const Item item : set) forward.add(item);
    ObjectiveState shuffled(objective);
    const auto visitor = static_cast<Item>(rng.below(instance.graph.size()));
    const bool member = std::find(set.begin(), set.end(), visitor) != set.end();
    if (!member) shuffled.add(visitor);
    for (std::size_t at = set.size(); at > 1; --at) std::swap(set[at - 1], set[rng.below(at)]);
    for (const Item item : set) shuffled.add(item);
    if (!member) shuffled.remove(visitor);
    for (Item item = 0; item < instance.graph.size(); ++item)
      ASSERT_EQ(forward.gain(item), shuffled.gain(item));
  }
}

}  // namespace
}  // namespace pith
