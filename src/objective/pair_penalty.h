#pragma once

#include <vector>

#include "pith/graph.h"

namespace pith {

/// Sum of s over an item's edges. Exact, whatever the order.
[[nodiscard]] inline double weighted_degree(const Graph& graph, Item item) {
  double sum = 0;
  for (const float d : graph.dissimilarities(item)) sum += graph.similarity(d);
  return sum;
}

/// The largest of them.
[[nodiscard]] double largest_weighted_degree(const Graph& graph, const Run& run);

/// Sum of s over the edges with both ends in a set of distinct items.
[[nodiscard]] double similarity_inside(const Graph& graph, std::span<const Item> set);

/// For every item, the sum of s to its neighbours in S. Sums of s are exact (Graph::similarity), so adding
/// and removing leaves no trace.
class PairPenalty {
 public:
  explicit PairPenalty(const Graph& graph) : graph_(graph), penalty_(graph.size(), 0.0) {}

  [[nodiscard]] double at(Item item) const noexcept { return penalty_[item]; }
  void expect(Item item) const noexcept {
    __builtin_prefetch(&penalty_[item]);
    graph_.prefetch_row(item);
  }
  /// `item` enters (sign 1) or leaves (-1) S.
  void shift(Item item, double sign) {
    const auto neighbors = graph_.neighbors(item);
    const auto dissimilarities = graph_.dissimilarities(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      penalty_[neighbors[at]] += sign * graph_.similarity(dissimilarities[at]);
  }

 private:
  const Graph& graph_;
  std::vector<double> penalty_;
};

}  // namespace pith
