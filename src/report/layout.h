#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pith/graph.h"
#include "report/pca.h"

namespace pith {

/// How strongly each edge of a graph pulls, in the order of graph.all_neighbors(); the same from both ends.
/// As in UMAP (McInnes, Healy and Melville, 2018): an item's nearest neighbour pulls fully, the others by
/// exp(-(d - nearest) / scale) with the scale that makes the pulls of `neighbors` of them sum to
/// log2(neighbors); the two ends' views a and b become a + b - a b.
[[nodiscard]] std::vector<float> pull_weights(const Graph& graph, const Run& run);

struct LayoutOptions {
  std::uint64_t seed = 0;
  std::uint32_t epochs = 0;     ///< 0: 500 up to 10,000 items, 300 beyond
  std::uint32_t strangers = 8;  ///< items drawn at random that push an item away, each epoch
};

/// A map of the graph in the plane: neighbours near each other, everybody else apart. Much like UMAP, but all
/// items move at once from where they stood before the epoch, and strangers are drawn by (seed, epoch, item):
/// so the map is the same for any run.threads. Starts from `start`, one an item, or, where that is empty,
/// from places drawn at random. O(epochs * (edges + strangers * items)).
[[nodiscard]] std::vector<Point> find_layout(const Graph& graph, std::span<const Point> start,
                                             const LayoutOptions& options, const Run& run);

}  // namespace pith
