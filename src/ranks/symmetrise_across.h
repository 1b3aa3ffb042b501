#pragma once

#include "graph/exact_neighbors.h"
#include "ranks/rank_graph.h"

namespace pith {

/// symmetrise() of lists whose rows are spread over the ranks: each gets the rows of its own items, the
/// entries of others that name them having been sent to it. Collective.
[[nodiscard]] GraphRows symmetrise_across(Communicator& ranks, const RowBlocks& blocks,
                                          const NeighborLists& lists, Symmetry symmetry);

}  // namespace pith
