#pragma once

#include "graph/exact_neighbors.h"
#include "pith/graph.h"

namespace pith {

/// The undirected graph of neighbour lists. Both ends must give an edge they both list the same
/// dissimilarity, as the canonical score does. Exact mutual graphs keep the lists. O(n k^2).
[[nodiscard]] Graph symmetrise(NeighborLists lists, GraphInfo info, const Run& run);

}  // namespace pith
