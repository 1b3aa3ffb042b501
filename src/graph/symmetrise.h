#pragma once

#include "graph/exact_neighbors.h"
#include "pith/graph.h"

namespace pith {

/// The undirected graph of neighbour lists. Both ends must give an edge they both list the same
/// dissimilarity, as the canonical score does. O(n k log k).
[[nodiscard]] Graph symmetrise(const NeighborLists& lists, GraphInfo info, const Run& run);

}  // namespace pith
