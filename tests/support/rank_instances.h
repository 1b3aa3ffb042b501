#pragma once

#include "ranks/rank_graph.h"
#include "support/instances.h"

namespace pith::testing {

/// A rank's rows of a graph.
inline GraphRows rows_of(const Graph& graph, const RowBlocks& blocks, int rank) {
  GraphRows rows;
  for (std::size_t item = blocks.begin(rank); item < blocks.end(rank); ++item) {
    const auto neighbors = graph.neighbors(static_cast<Item>(item));
    const auto dissimilarities = graph.dissimilarities(static_cast<Item>(item));
    rows.neighbors.insert(rows.neighbors.end(), neighbors.begin(), neighbors.end());
    rows.dissimilarities.insert(rows.dissimilarities.end(), dissimilarities.begin(), dissimilarities.end());
    rows.offsets.push_back(rows.neighbors.size());
  }
  return rows;
}

/// random_instance() with terms that ranks can share alone, on any metric; `density` thins the graph out.
inline Instance random_shared_instance(std::uint64_t seed, std::size_t least, std::size_t most, bool dyadic,
                                       double density = 0) {
  Instance instance = random_instance(seed, least, most, dyadic);
  Rng rng(mix64(seed + 1));
  GraphInfo info;
  if (!dyadic) info.metric = static_cast<Metric>(rng.below(3));
  if (density == 0) density = 0.05 + 0.6 * rng.unit();
  instance.graph = random_graph(instance.graph.size(), density, few_values(dyadic), info, rng.bits());
  instance.weights.clique_size = 3;
  std::erase_if(instance.weights.terms, [](const TermWeight& term) { return term.name == "quads"; });
  if (rng.below(3) == 0) instance.weights.area_threshold = 0.05 * static_cast<double>(rng.below(4));
  instance.triangles =
      find_triangles(instance.graph, {instance.weights.area_threshold, instance.weights.area_quantile}, {});
  return instance;
}

}  // namespace pith::testing
