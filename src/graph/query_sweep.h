#pragma once

#include <span>
#include <vector>

#include "graph/neighbor_search.h"

namespace pith {

/// The nearest of some distinct rows among all of them, exactly, nearest first. O(queries * rows *
/// dimension).
[[nodiscard]] std::vector<std::vector<ExactScorer::Scored>> exact_nearest_of(const NeighborSearch& search,
                                                                             std::span<const Item> queries,
                                                                             const Run& run);

}  // namespace pith
