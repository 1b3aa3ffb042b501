#pragma once

#include <algorithm>
#include <vector>

#include "graph/blas.h"
#include "graph/candidates.h"
#include "graph/exact_neighbors.h"
#include "graph/kernels/tile_kernel.h"
#include "graph/rows.h"
#include "graph/score_filter.h"

namespace pith {

class GroupExpander;

/// What every search for neighbours stands on: the rows that differ, a filter and a table of candidates over
/// them. Memory beyond the input: 16 k + 80 bytes an item or so, of which the lists take 8 k at the end.
class NeighborSearch {
 public:
  /// Throws Error for rows that are not finite, no columns, or k not below the number of rows.
  NeighborSearch(const MatrixView& view, Metric metric, std::uint32_t k, const Run& run,
                 const NeighborTuning& tuning);

  [[nodiscard]] const MatrixView& view() const noexcept { return view_; }
  [[nodiscard]] const RowFacts& facts() const noexcept { return facts_; }
  [[nodiscard]] const DistinctRows& distinct() const noexcept { return distinct_; }
  /// Distinct rows: the rows of the filter and of the table.
  [[nodiscard]] std::size_t rows() const noexcept { return distinct_.first.size(); }
  /// Neighbours wanted of each distinct row.
  [[nodiscard]] std::uint32_t wanted() const noexcept { return wanted_; }
  [[nodiscard]] const TileKernel& kernel() const noexcept { return kernel_; }
  [[nodiscard]] const ScoreFilter& filter() const noexcept { return filter_; }
  [[nodiscard]] CandidateTable& table() noexcept { return table_; }
  [[nodiscard]] ExactScorer scorer() const { return {view_, metric_, facts_, distinct_.first}; }
  /// Dissimilarity between equal rows: 0, but 1 between zero rows under the cosine.
  [[nodiscard]] double dissimilarity_within(Item group) const {
    return metric_ == Metric::cosine && facts_.squared_norms[distinct_.first[group]] == 0 ? 1.0 : 0.0;
  }

  [[nodiscard]] bool has_no_equal_rows() const noexcept { return rows() == view_.rows; }
  /// The lists of all items, every row of the table being settled. Needs has_no_equal_rows().
  [[nodiscard]] NeighborLists settled_lists(const Run& run);
  /// The lists of all items from what the table holds.
  [[nodiscard]] NeighborLists lists(const Run& run);
  /// The lists of items `first` to `last`, of whose groups, each once, the table holds all.
  [[nodiscard]] NeighborLists lists_of(std::size_t first, std::size_t last, std::span<const Item> groups,
                                       const Run& run);

 private:
  [[nodiscard]] NeighborLists empty_lists(std::size_t items) const;
  /// Puts into the expander's lists what the table holds of some groups; done(begin, end) after some of them.
  template <class GroupAt, class Done>
  void expand(std::size_t groups, const GroupExpander& expander, GroupAt group_at, Done done, const Run& run);

  SingleThreadedBlas single_threaded_blas_;
  MatrixView view_;
  Metric metric_;
  std::uint32_t k_;
  RowFacts facts_;
  DistinctRows distinct_;
  std::uint32_t wanted_;
  const TileKernel& kernel_;
  ScoreFilter filter_;
  CandidateTable table_;
};

}  // namespace pith
