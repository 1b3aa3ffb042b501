#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "graph/four_cliques.h"
#include "support/instances.h"
#include "support/quantile.h"

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

/// The terms straight from their definitions: pairs and triples of the set, no state. Similarities, lengths,
/// areas, volumes and the threshold of the areas are those of the library.
struct Definition {
  const Instance& instance;
  const Graph& graph = instance.graph;

  [[nodiscard]] const float* edge(Item a, Item b) const {
    const auto row = graph.neighbors(a);
    const auto found = std::find(row.begin(), row.end(), b);
    return found == row.end() ? nullptr
                              : &graph.dissimilarities(a)[static_cast<std::size_t>(found - row.begin())];
  }
  [[nodiscard]] double similarity(Item a, Item b) const {
    if (a == b) return 1;
    const float* d = edge(a, b);
    return d == nullptr ? 0 : graph.similarity(*d);
  }
  [[nodiscard]] double degree(Item item) const {
    double sum = 0;
    for (Item other = 0; other < graph.size(); ++other)
      if (other != item) sum += similarity(item, other);
    return sum;
  }
  [[nodiscard]] double inside(const std::vector<Item>& set) const {
    double sum = 0;
    for (const Item a : set)
      for (const Item b : set)
        if (a < b) sum += similarity(a, b);
    return sum;
  }

  [[nodiscard]] double diversity(const std::vector<Item>& set) const {
    double largest = 0;
    for (Item item = 0; item < graph.size(); ++item) largest = std::max(largest, degree(item));
    return static_cast<double>(set.size()) * largest - instance.weights.gamma.value() * inside(set);
  }
  [[nodiscard]] double graph_cut(const std::vector<Item>& set) const {
    double sum = 0;
    for (const Item item : set) sum += degree(item);
    for (const Item a : set)
      for (const Item b : set)
        if (a != b) sum -= instance.weights.graph_cut_lambda * similarity(a, b);
    return sum;
  }
  [[nodiscard]] double facility_location(const std::vector<Item>& set) const {
    double sum = 0;
    for (Item item = 0; item < graph.size(); ++item) {
      double best = 0;
      for (const Item pick : set) best = std::max(best, similarity(item, pick));
      sum += best;
    }
    return sum;
  }
  [[nodiscard]] double triples(const std::vector<Item>& set) const {
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
    double triple = 0;
    for (const Item item : set) triple += corners[item];
    for (const Item a : set)
      for (const Item b : set)
        for (const Item c : set) {
          if (a >= b || b >= c || edge(a, b) == nullptr || edge(a, c) == nullptr || edge(b, c) == nullptr)
            continue;
          const double area =
              triangle_area(graph.length(*edge(a, b)), graph.length(*edge(a, c)), graph.length(*edge(b, c)));
          if (area < instance.triangles.area_threshold) triple -= instance.weights.eta;
        }
    return triple / scale;
  }
  /// Sets of four with all six edges, each with its volume.
  [[nodiscard]] std::vector<std::pair<std::array<Item, 4>, double>> cliques() const {
    std::vector<std::pair<std::array<Item, 4>, double>> all;
    const auto n = static_cast<Item>(graph.size());
    for (Item a = 0; a < n; ++a)
      for (Item b = a + 1; b < n; ++b)
        for (Item c = b + 1; c < n; ++c)
          for (Item d = c + 1; d < n; ++d) {
            const float* sides[] = {edge(a, b), edge(a, c), edge(a, d), edge(b, c), edge(b, d), edge(c, d)};
            if (std::count(std::begin(sides), std::end(sides), nullptr) != 0) continue;
            const auto length = [&](std::size_t side) { return graph.length(*sides[side]); };
            all.push_back(
                {{a, b, c, d},
                 tetrahedron_volume({length(0), length(1), length(2), length(3), length(4), length(5)})});
          }
    return all;
  }
  [[nodiscard]] double quads(const std::vector<Item>& set) const {
    const auto all = cliques();
    if (all.empty()) return 0;
    std::vector<double> volumes;
    std::vector<double> corners(graph.size(), 0);
    for (const auto& [clique, volume] : all) {
      volumes.push_back(volume);
      for (const Item corner : clique) corners[corner] += 1;
    }
    std::sort(volumes.begin(), volumes.end());
    const double threshold = testing::quantile_of(volumes, instance.weights.area_quantile);
    double scale = 1;
    if (instance.weights.triple_scale == TripleScale::max)
      scale = *std::max_element(corners.begin(), corners.end());
    if (instance.weights.triple_scale == TripleScale::mean)
      scale = 4 * static_cast<double>(all.size()) / static_cast<double>(graph.size());
    double sum = 0;
    for (const Item item : set) sum += corners[item];
    for (const auto& [clique, volume] : all)
      if (volume < threshold && std::all_of(clique.begin(), clique.end(), [&](Item corner) {
            return std::find(set.begin(), set.end(), corner) != set.end();
          }))
        sum -= instance.weights.eta;
    return sum / scale;
  }
  [[nodiscard]] static double sum_of(const std::vector<double>& column, const std::vector<Item>& set) {
    double sum = 0;
    for (const Item item : set) sum += column[item];
    return sum;
  }

  [[nodiscard]] double term(const std::string& name, const std::vector<Item>& set) const {
    if (name == "uncertainty") return sum_of(instance.predictions.margin, set);
    if (name == "diversity") return diversity(set);
    if (name == "triples") return triples(set);
    if (name == "quads") return quads(set);
    if (name == "facility-location") return facility_location(set);
    if (name == "graph-cut") return graph_cut(set);
    if (name == "scores") return sum_of(instance.scores, set);
    ADD_FAILURE() << "term " << name << " has no definition here";
    return 0;
  }
  /// Listed terms, or the three of the paper by lambda.
  [[nodiscard]] double f(const std::vector<Item>& set) const {
    const auto& lambda = instance.weights.lambda.value();
    if (instance.weights.terms.empty())
      return lambda[0] * term("uncertainty", set) + lambda[1] * term("diversity", set) +
             lambda[2] * term(instance.weights.clique_size == 4 ? "quads" : "triples", set);
    double sum = 0;
    for (const TermWeight& listed : instance.weights.terms) sum += listed.weight * term(listed.name, set);
    return sum;
  }
};

TEST(objective_property, value_is_the_definition) {
  for (std::uint64_t seed = 0; seed < instances; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_instance(seed, 1, 12, false);
    Rng rng(seed + 1'000'000);
    const std::vector<Item> set = random_set(rng, instance.graph.size(), 0.6);
    ASSERT_NEAR(instance.objective().value(set), Definition{instance}.f(set), 1e-9);
  }
}

/// Every term alone: its value, and each gain as the difference of two values, bit for bit.
TEST(objective_property, every_term_of_the_registry_is_its_definition) {
  for (const TermSpec& spec : terms())
    for (std::uint64_t seed = 0; seed < instances; ++seed) {
      SCOPED_TRACE(spec.name + " " + std::to_string(seed));
      Instance instance = random_instance(seed, 1, 12, true);
      testing::mix_terms(instance, seed, true);
      instance.weights.terms = {{spec.name, 1.0}};
      const Definition definition{instance};
      const Objective objective = instance.objective();
      Rng rng(seed + 2'000'000);
      std::vector<Item> set = random_set(rng, instance.graph.size(), 0.5);
      ASSERT_EQ(objective.value(set), definition.f(set));
      ObjectiveState state(objective);
      for (const Item item : set) state.add(item);
      for (Item item = 0; item < instance.graph.size(); ++item) {
        std::vector<Item> others = set;
        std::erase(others, item);
        std::vector<Item> with = others;
        with.push_back(item);
        ASSERT_EQ(state.gain(item), definition.f(with) - definition.f(others));
      }
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
