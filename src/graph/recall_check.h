#pragma once

#include <vector>

#include "graph/neighbor_search.h"

namespace pith {

/// An interval for a recall. Every sampled item counts as one all-or-nothing draw (Clopper and Pearson's
/// interval for that many), which overstates the spread of a mean of shares and so errs on the safe side.
struct RecallEstimate {
  double recall = 1;
  double low = 1;
  double high = 1;
};
[[nodiscard]] RecallEstimate estimate_recall(double mean, std::size_t sampled, double error);

/// How many of the true neighbours of a random sample of items a table has found.
class RecallCheck {
 public:
  RecallCheck(const NeighborSearch& search, std::uint32_t k, std::uint64_t seed);

  /// Draws up to `more` items more and finds the truth for them: O(more * rows * dimension).
  void extend(const NeighborSearch& search, std::size_t more, const Run& run);
  [[nodiscard]] std::size_t sampled() const noexcept { return drawn_; }
  /// Mean share of true neighbours that the table of the search holds; equally far ones count as true.
  [[nodiscard]] double measure(NeighborSearch& search, const Run& run) const;

 private:
  /// The k-th smallest dissimilarity of an item of the group, and how many of the first k do not exceed
  /// `limit`.
  [[nodiscard]] double kth(const NeighborSearch& search, Item group,
                           const std::vector<ExactScorer::Scored>& nearest) const;
  [[nodiscard]] std::uint64_t count_within(const NeighborSearch& search, Item group,
                                           const std::vector<ExactScorer::Scored>& nearest,
                                           double limit) const;

  std::uint32_t k_;
  std::vector<Item> order_;  ///< the items in the order they are drawn
  std::size_t drawn_ = 0;
  std::vector<Item> groups_;           ///< sampled rows
  std::vector<std::uint32_t> counts_;  ///< items sampled of each
  std::vector<double> limits_;         ///< dissimilarity of the k-th true neighbour
};

}  // namespace pith
