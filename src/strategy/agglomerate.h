#pragma once

#include <vector>

#include "constraint/balance.h"
#include "pith/graph.h"
#include "pith/run.h"

namespace pith {

/// Average linkage on the neighbour graph: begins with every item for itself and merges the two clusters
/// whose members are most similar on average (no edge: similarity 0), until `clusters` are left or none
/// touch. Ties go to the lower clusters, each named by its last item. Gives the last item of every item's
/// cluster. Excluded items stay by themselves and do not count.
///
/// A merged cluster is never closer to a third than the closer of the two was, so averages only fall and a
/// queue of old ones needs to look again only at its top. Sums of similarities are exact. O(m log^2 n) steps
/// in practice.
[[nodiscard]] std::vector<Item> agglomerate(const Graph& graph, const Pool& pool, std::size_t clusters,
                                            const Run& run);

}  // namespace pith
