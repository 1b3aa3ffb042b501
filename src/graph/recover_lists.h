#pragma once

#include <string>

#include "graph/exact_neighbors.h"
#include "pith/graph.h"

namespace pith {

/// Whom each item of an exact graph listed: what a mutual graph kept, or the nearest of the row of a union.
/// Either way the distances are computed again, because a float cannot tell ties from near-ties; throws
/// Error{bad_input}, calling the graph `path`, where what it says of them disagrees. `view` holds the rows
/// the graph was built from. O(edges * D).
[[nodiscard]] NeighborLists recover_lists(const Graph& graph, const MatrixView& view, const std::string& path,
                                          const Run& run);

}  // namespace pith
