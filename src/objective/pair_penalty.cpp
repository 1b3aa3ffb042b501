#include "objective/pair_penalty.h"

#include <algorithm>

#include "base/parallel.h"
#include "pith/term.h"

namespace pith {

double largest_weighted_degree(const Graph& graph, const Run& run) {
  std::vector<double> largest(run.thread_count(), 0.0);
  parallel_for(run, graph.size(), 1 << 14, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t item = begin; item < end; ++item)
      largest[worker] = std::max(largest[worker], weighted_degree(graph, static_cast<Item>(item)));
  });
  return *std::max_element(largest.begin(), largest.end());
}

double similarity_inside(const Graph& graph, std::span<const Item> set) {
  Membership in(graph.size());
  for (const Item item : set) in.insert(item);
  double inside = 0;
  for (const Item item : set) {
    const auto neighbors = graph.neighbors(item);
    const auto dissimilarities = graph.dissimilarities(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      if (neighbors[at] > item && in.contains(neighbors[at])) inside += graph.similarity(dissimilarities[at]);
  }
  return inside;
}

}  // namespace pith
