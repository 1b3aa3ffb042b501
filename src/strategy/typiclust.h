#pragma once

#include <vector>

#include "strategy/registry.h"

namespace pith {

// The two halves of typiclust, apart so that a test can look at each.

/// The items that are not excluded in k-means clusters of the embeddings, each ascending; some may be empty.
[[nodiscard]] std::vector<std::vector<Item>> cluster_by_means(const StrategyInput& input);

/// Mean length of an item's edges to its nearest neighbours, as many as an item lists: 1 / typicality.
[[nodiscard]] std::vector<double> mean_neighbor_lengths(const Graph& graph);

}  // namespace pith
