#pragma once

#include <optional>
#include <string>
#include <utility>

#include "graph/exact_neighbors.h"

namespace pith {

/// Neighbour lists with how they were found, as GraphInfo says it.
struct FoundNeighbors {
  NeighborLists lists;
  std::string method;
  std::optional<double> recall;
  std::optional<std::pair<double, double>> recall_interval;
  std::string reason;
};

/// The k nearest others of each row (k < n), searched for as options.knn, recall and memory_bytes ask.
/// options.neighbors and symmetry are not looked at.
[[nodiscard]] FoundNeighbors find_neighbors(const MatrixView& view, const GraphOptions& options,
                                            std::uint32_t k, const Run& run);

/// Most memory the search and the graph take beyond the input, with so many candidates held an item, in
/// bytes.
[[nodiscard]] std::uint64_t neighbor_memory(const MatrixView& view, std::uint32_t k, std::size_t slots,
                                            unsigned threads);

}  // namespace pith
