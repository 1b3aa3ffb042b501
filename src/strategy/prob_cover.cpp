#include <algorithm>
#include <cmath>
#include <limits>

#include "base/rng.h"
#include "strategy/registry.h"

namespace pith {
namespace {

constexpr double impure_share = 0.05;

/// The largest radius at which at least 95% of the balls hold one predicted class only, as far as the graph
/// shows. The others' nearest neighbour of another class lies beyond it.
double find_radius(const Graph& graph, const Predictions& predictions, const Pool& pool) {
  std::vector<double> nearest_other;
  for (Item item = 0; item < graph.size(); ++item) {
    if (pool.state[item] == Pool::State::excluded) continue;
    double nearest = std::numeric_limits<double>::infinity();
    const auto neighbors = graph.neighbors(item);
    const auto dissimilarities = graph.dissimilarities(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      if (pool.state[neighbors[at]] != Pool::State::excluded &&
          predictions.best[neighbors[at]] != predictions.best[item])
        nearest = std::min(nearest, graph.length(dissimilarities[at]));
    nearest_other.push_back(nearest);
  }
  if (nearest_other.empty()) return 0;
  const auto impure = static_cast<std::size_t>(impure_share * static_cast<double>(nearest_other.size()));
  std::nth_element(nearest_other.begin(), nearest_other.begin() + static_cast<std::ptrdiff_t>(impure),
                   nearest_other.end());
  return std::nextafter(nearest_other[impure], -1.0);
}

/// How many items a ball would newly cover. The half below 1 breaks ties by chance, because where balls are
/// small nearly everything ties.
class CoverOracle final : public Oracle {
 public:
  CoverOracle(const Graph& graph, const Pool& pool, double radius, std::uint64_t seed)
      : graph_(graph),
        pool_(pool),
        radius_(radius),
        seed_(seed),
        covered_(graph.size(), 0),
        chosen_(graph.size(), 0) {}

  [[nodiscard]] double score(Item item) override {
    const std::uint32_t own = chosen_[item];
    double newly = 0;
    for_ball(item, [&](Item other) { newly += covered_[other] == own ? 1 : 0; });
    return newly + random_unit(seed_, item) / 2;
  }
  void add(Item item) override {
    chosen_[item] = 1;
    for_ball(item, [&](Item other) { ++covered_[other]; });
  }
  void remove(Item item) override {
    chosen_[item] = 0;
    for_ball(item, [&](Item other) { --covered_[other]; });
  }
  void influenced(Item item, std::vector<Item>& out) const override {
    for_ball(item, [&](Item other) { for_ball(other, [&](Item third) { out.push_back(third); }); });
  }

 private:
  template <class Body>
  void for_ball(Item item, Body body) const {
    if (pool_.state[item] != Pool::State::excluded) body(item);
    const auto neighbors = graph_.neighbors(item);
    const auto dissimilarities = graph_.dissimilarities(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      if (graph_.length(dissimilarities[at]) <= radius_ &&
          pool_.state[neighbors[at]] != Pool::State::excluded)
        body(neighbors[at]);
  }

  const Graph& graph_;
  const Pool& pool_;
  double radius_;
  std::uint64_t seed_;
  std::vector<std::uint32_t> covered_;  ///< by how many chosen balls
  std::vector<std::uint32_t> chosen_;
};

}  // namespace

/// Next is always the item whose ball covers most items that no ball covers yet (Yehuda, Dekel, Hacohen,
/// Weinshall 2022). Balls end where the graph does. The greedy covers at least 1 - 1/e of what can be.
std::vector<Pick> choose_prob_cover(const StrategyInput& input) {
  const double radius = input.special.radius.value_or(-1);
  CoverOracle oracle(*input.graph, input.pool,
                     radius < 0 ? find_radius(*input.graph, input.predictions, input.pool) : radius,
                     input.seed);
  return choose_greedily(oracle, input);
}

}  // namespace pith
