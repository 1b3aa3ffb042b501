#pragma once

#include <functional>
#include <span>
#include <vector>

#include "graph/neighbor_search.h"

namespace pith {

/// exact_nearest_of(), or others who find the same.
using NearestFinder =
    std::function<std::vector<std::vector<ExactScorer::Scored>>(std::span<const Item> queries)>;

/// The nearest of some distinct rows among all of them, exactly, nearest first. O(queries * rows *
/// dimension).
[[nodiscard]] std::vector<std::vector<ExactScorer::Scored>> exact_nearest_of(const NeighborSearch& search,
                                                                             std::span<const Item> queries,
                                                                             const Run& run);

}  // namespace pith
