#pragma once

#include <optional>
#include <string>
#include <utility>

#include "graph/approximate_neighbors.h"
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

/// What the search takes with the candidates that options.memory_bytes allows, or the fewest that work.
struct NeighborPlan {
  std::size_t slots = 0;    ///< candidates an item; 0: as many as are quickest
  std::size_t places = 0;   ///< cells a row has joined at a time
  std::uint64_t bytes = 0;  ///< most that search and graph hold, beyond the input
  double seconds = 0;       ///< by rule of thumb
};
[[nodiscard]] NeighborPlan plan_neighbors(const MatrixView& view, const GraphOptions& options,
                                          std::uint32_t k, unsigned threads);

/// Why find_neighbors() would look at all pairs from the start; nothing where it would not.
[[nodiscard]] std::optional<std::string> reason_for_all_pairs(const MatrixView& view,
                                                              const GraphOptions& options, std::uint32_t k);

/// What approximate_neighbors() found, told as find_neighbors() does.
[[nodiscard]] FoundNeighbors told(ApproximateNeighbors found, const MatrixView& view,
                                  const GraphOptions& options);

/// Most memory the search and the graph take beyond the input, with so many candidates held an item, in
/// bytes.
[[nodiscard]] std::uint64_t neighbor_memory(const MatrixView& view, std::uint32_t k, std::size_t slots,
                                            unsigned threads);

}  // namespace pith
