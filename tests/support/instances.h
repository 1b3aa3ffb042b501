#pragma once

#include <algorithm>
#include <set>
#include <vector>

#include "base/rng.h"
#include "constraint/balance.h"
#include "graph/triangles.h"
#include "objective/objective.h"
#include "objective/registry.h"
#include "pith/graph.h"
#include "pith/predictions.h"
#include "strategy/greedy.h"
#include "support/random_graph.h"

namespace pith::testing {

/// A small random problem full of ties: few distinct dissimilarities and margins, dense little graphs.
struct Instance {
  Graph graph;
  Predictions predictions;
  Triangles triangles;
  ObjectiveOptions weights;
  BalanceOptions balance_options;
  BalanceKind kind = BalanceKind::both;
  Pool pool;
  std::int64_t budget = 1;
  std::vector<double> scores;
  pith::Run run;

  [[nodiscard]] Objective objective() const {
    return make_objective({.predictions = predictions,
                           .graph = graph,
                           .triangles = triangles,
                           .scores = scores,
                           .embeddings = nullptr,
                           .memory_bytes = {},
                           .options = weights,
                           .run = run});
  }
  [[nodiscard]] Balance balance() const {
    return make_balance(predictions, pool, budget, kind, balance_options);
  }
};

inline Predictions random_predictions(Rng& rng, std::size_t n, std::uint32_t classes) {
  Predictions predictions;
  predictions.classes = classes;
  for (std::size_t i = 0; i < n; ++i) {
    const auto best = static_cast<std::uint32_t>(std::min(rng.below(classes), rng.below(classes)));
    auto second = static_cast<std::uint32_t>(rng.below(classes - 1));
    if (second >= best) ++second;
    predictions.best.push_back(best);
    predictions.second.push_back(second);
    predictions.margin.push_back(static_cast<double>(rng.below(5)) / 4);
  }
  return predictions;
}

/// Dissimilarities to draw from: so few that areas tie.
inline std::vector<float> few_values(bool dyadic) {
  if (dyadic) return {0.0F, 0.25F, 0.5F, 0.75F, 1.0F};
  return {0.0F, 0.1F, 0.3F, 0.3F, 0.31F, 0.9F, 1.4F};
}

/// A random choice of the terms there are, with weights of quarters or any.
inline void mix_terms(Instance& instance, std::uint64_t seed, bool dyadic) {
  Rng rng(seed);
  instance.scores.clear();
  for (std::size_t item = 0; item < instance.graph.size(); ++item)
    instance.scores.push_back(static_cast<double>(rng.below(5)) / 4);
  ObjectiveOptions& weights = instance.weights;
  weights.graph_cut_lambda = dyadic ? static_cast<double>(rng.below(3)) / 4 : rng.unit() / 2;
  for (const TermSpec& term : terms())
    if (rng.below(2) == 0)
      weights.terms.push_back({term.name, dyadic ? static_cast<double>(rng.below(5)) / 4 : rng.unit()});
}

/// `dyadic`: weights for which every sum is exact, so that gains can be compared bit for bit.
inline Instance random_instance(std::uint64_t seed, std::size_t least_items, std::size_t most_items,
                                bool dyadic) {
  Rng rng(seed);
  Instance instance;
  const std::size_t n = least_items + rng.below(most_items - least_items + 1);
  const auto classes = static_cast<std::uint32_t>(2 + rng.below(3));
  const double density = 0.2 + 0.6 * rng.unit();
  instance.graph = random_graph(n, density, few_values(dyadic), {}, rng.bits());
  instance.predictions = random_predictions(rng, n, classes);
  ObjectiveOptions& weights = instance.weights;
  const double quarters = 4;
  if (dyadic) {
    for (double& lambda : weights.lambda.emplace()) lambda = static_cast<double>(rng.below(5)) / quarters;
    weights.gamma = static_cast<double>(rng.below(5)) / quarters;
    weights.eta = static_cast<double>(rng.below(5)) / quarters;
    weights.triple_scale = TripleScale::none;
  } else {
    for (double& lambda : weights.lambda.emplace()) lambda = rng.below(4) == 0 ? 0.0 : rng.unit();
    weights.gamma = rng.unit();
    weights.eta = rng.unit();
    weights.triple_scale = static_cast<TripleScale>(rng.below(3));
  }
  weights.area_quantile = static_cast<double>(rng.below(5)) / quarters;
  instance.triangles = find_triangles(instance.graph, {std::nullopt, weights.area_quantile}, {});

  instance.pool = Pool::of_all(n);
  const std::uint64_t sides = rng.below(3);
  for (Item item = 0; item < n && sides != 0; ++item) {
    const std::uint64_t draw = rng.below(12);
    if (draw == 0) instance.pool.state[item] = Pool::State::excluded;
    if (draw == 1) {
      instance.pool.state[item] = Pool::State::labelled;
      instance.pool.labelled.push_back(item);
      instance.pool.labelled_class.push_back(
          rng.below(2) == 0 ? no_group : static_cast<std::uint32_t>(rng.below(classes)));
    }
  }
  const std::size_t candidates = instance.pool.candidates();
  instance.budget = candidates == 0 ? 0 : static_cast<std::int64_t>(1 + rng.below(candidates));
  instance.kind = static_cast<BalanceKind>(rng.below(4));
  switch (rng.below(3)) {
    case 0:
      instance.balance_options.boundary_cap = ProportionalCap{};
      break;
    case 1:
      instance.balance_options.boundary_cap = FixedCap{static_cast<std::int64_t>(1 + rng.below(3))};
      break;
    default:
      instance.balance_options.boundary_slack = 1;
      break;
  }
  if (rng.below(3) == 0)
    instance.balance_options.class_cap = FixedCap{static_cast<std::int64_t>(1 + rng.below(4))};
  if (rng.below(4) == 0) weights.clique_size = 4;
  if (rng.below(2) == 0) mix_terms(instance, rng.bits(), dyadic);
  return instance;
}

inline std::vector<Item> items_of(const std::vector<Pick>& picks) {
  std::vector<Item> items;
  for (const Pick& pick : picks) items.push_back(pick.item);
  return items;
}

/// The items of a bit mask.
inline std::vector<Item> items_of(std::uint32_t mask) {
  std::vector<Item> items;
  for (Item item = 0; item < 32; ++item)
    if ((mask >> item & 1U) != 0) items.push_back(item);
  return items;
}

}  // namespace pith::testing
