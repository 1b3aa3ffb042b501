#pragma once

#include "graph/exact_neighbors.h"

namespace pith {

/// exact_neighbors(all, metric, old.k), given those of the first old.n rows: bit for bit the same. Needs
/// old.k < old.n <= rows of all.
[[nodiscard]] NeighborLists append_neighbors(const MatrixView& all, Metric metric, const NeighborLists& old,
                                             const Run& run, const NeighborTuning& tuning = {});

}  // namespace pith
