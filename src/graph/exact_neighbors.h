#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pith/matrix.h"
#include "pith/options.h"
#include "pith/run.h"

namespace pith {

/// k nearest others of each of n items: entries i * k .. i * k + k - 1, nearest first, ties to the lower
/// index.
struct NeighborLists {
  std::size_t n = 0;
  std::uint32_t k = 0;
  std::vector<Item> items;
  std::vector<float> dissimilarities;
};

/// How the search is cut up; never changes what it finds. 0: chosen by size, if nothing else is said.
struct NeighborTuning {
  std::size_t block_rows = 0;
  std::size_t slots = 0;         ///< candidates held per row, at least k + 2
  std::string kernel = {};       ///< empty: find_kernel()'s choice
  std::string cell_kernel = {};  ///< that assigns rows to cells; empty: as `kernel`
  /// Cells a row has joined at a time, on average; where more are needed they are met in several rounds.
  /// 0: all in one.
  std::size_t most_places = 0;
};

/// The k nearest others by (canonical dissimilarity, index), self excluded; k < n. Bit-identical for any
/// thread count, tuning and BLAS: approximate scores only ever rule out what provably is not among the
/// nearest. O(n^2 D) time; O(n k) memory and some panels of rows a thread
/// (PairSweep::workspace_bytes()) beyond the input. Many items tied at
/// the k-th place cost canonical scores for all of them.
[[nodiscard]] NeighborLists exact_neighbors(const MatrixView& view, Metric metric, std::uint32_t k,
                                            const Run& run, const NeighborTuning& tuning = {});

}  // namespace pith
