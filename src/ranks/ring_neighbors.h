#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "graph/exact_neighbors.h"
#include "ranks/communicator.h"
#include "ranks/row_blocks.h"

namespace pith {

struct Near {
  double dissimilarity = 0;  ///< canonical
  Item item = 0;
  [[nodiscard]] bool before(const Near& other) const noexcept {
    return dissimilarity != other.dissimilarity ? dissimilarity < other.dissimilarity : item < other.item;
  }
};

/// What some consecutive rows know of their neighbours: the nearest among the columns they have met. Says
/// nothing of ranks, so that any number of them can go on from it.
struct MetRows {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<std::pair<std::size_t, std::size_t>> met;  ///< ranges of items, ascending, apart
  std::vector<std::uint32_t> counts;                     ///< neighbours known of each row, at most k
  std::vector<Near> nearest;                             ///< k places a row, nearest first

  MetRows() = default;
  MetRows(std::size_t first, std::size_t last, std::uint32_t k)
      : begin(first), end(last), counts(last - first, 0), nearest((last - first) * k) {}
  /// The parts of a range not met yet.
  [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> unmet(std::size_t first,
                                                                       std::size_t last) const;
  void note_met(std::size_t first, std::size_t last);
  /// The same of some of these rows.
  [[nodiscard]] MetRows part(std::size_t first, std::size_t last, std::uint32_t k) const;
};

struct RingTask {
  Communicator& ranks;
  RowBlocks blocks;
  const MatrixView& view;  ///< all rows; this rank reads its own alone
  Metric metric = Metric::cosine;
  std::uint32_t k = 0;
  const Run& run;
  std::size_t piece_rows = 1 << 15;  ///< of a visiting block met at a time; never changes what is found
  /// What is known already of this rank's rows, in ascending pieces that cover them all; empty: nothing.
  std::vector<MetRows> known = {};
  /// Called between pieces with all that is known: a chance to save it.
  std::function<void(const std::vector<MetRows>&)> met = {};
};

/// exact_neighbors() of this rank's rows, bit for bit: blocks of rows go round the ring of ranks, the next on
/// its way while the present one is compared. Collective. Memory: four blocks of rows, and 16 k bytes a row.
[[nodiscard]] NeighborLists ring_neighbors(const RingTask& task);

}  // namespace pith
