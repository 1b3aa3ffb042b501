#pragma once

#include "graph/exact_neighbors.h"
#include "graph/recall_check.h"

namespace pith {

struct ApproximateOptions {
  double recall = 0.95;    ///< to be reached by the lower end of a 95% interval
  std::uint64_t seed = 0;  ///< of the sample the recall is measured on
  std::size_t cells = 0;   ///< 0: chosen by size
  double places = 0;       ///< nearest cells an item joins at least, on average; 0: one
  bool persist = false;    ///< go on with cells where meeting everybody would be quicker
};

struct ApproximateNeighbors {
  NeighborLists lists;
  RecallEstimate recall;  ///< 95% interval; 1 throughout where the search turned exact
  bool exact = false;     ///< cells would have cost as much as all pairs: all pairs were met
  std::size_t cells = 0;
  double places = 0;  ///< nearest cells an item was met in, on average
};

/// k nearest neighbours with a recall that is met, not hoped for: items meet within overlapping cells, each
/// in its nearest few, by the kernels of the exact search, in as many cells as the recall takes that a sample
/// with known neighbours shows. The same lists for any number of threads (on another kind of machine, cells
/// may differ by rounding).
[[nodiscard]] ApproximateNeighbors approximate_neighbors(const MatrixView& view, Metric metric,
                                                         std::uint32_t k, const ApproximateOptions& options,
                                                         const Run& run, const NeighborTuning& tuning = {});

/// Its parts, for those who search together (ranks/approximate_across.h). Rows of the table that met too few
/// others to have a full list are searched for exactly.
void fill_up(NeighborSearch& search, std::span<const Item> rows, const Run& run);
[[nodiscard]] NeighborTuning tuning_for_cells(NeighborTuning tuning, std::uint32_t k);
/// From what RecallCheck::measure() says.
[[nodiscard]] RecallEstimate recall_met(const std::vector<std::uint64_t>& found, double asked);

/// What that costs in pairs of the exact search, where two places a row do, in cells of a thousand members.
[[nodiscard]] double approximate_pairs(const MatrixView& view);

/// Bytes that takes beyond what the exact search does, with so many places a row at a time, and no cell of
/// more than 4000 rows where rows are long.
[[nodiscard]] std::uint64_t approximate_memory(const MatrixView& view, std::size_t places, unsigned threads);

}  // namespace pith
