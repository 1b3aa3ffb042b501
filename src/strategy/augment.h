#pragma once

#include <cstdint>
#include <vector>

#include "strategy/greedy.h"

namespace pith {

/// Brings the picks to min(budget, feasible size). A greedy set is maximal but, in an intersection of two
/// matroids, not always as large as can be: then room in one class can be turned into a pick by moving
/// others, along an augmenting path class -> boundary -> class -> ... that adds an item at each class and
/// gives one up at each full boundary between.
///
/// Does nothing where items have several boundaries: that is no intersection of two matroids.
///
/// Among the paths found, the one with the best (scores added - scores given up) is taken: scores at the
/// present S, over all shortest paths and those a few steps longer. Items added come last and are marked;
/// items given up leave the order. The oracle follows.
void augment(std::vector<Pick>& picks, Oracle& oracle, const Balance& balance, const Pool& pool,
             std::int64_t budget, const Run& run);

}  // namespace pith
