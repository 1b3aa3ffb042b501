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
  /// Finds the truth, once: O(sampled * rows * dimension).
  RecallCheck(const NeighborSearch& search, std::uint32_t k, std::size_t sampled, std::uint64_t seed,
              const Run& run);

  [[nodiscard]] std::size_t sampled() const noexcept { return items_; }
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
  std::size_t items_ = 0;
  std::vector<Item> groups_;           ///< sampled rows, different ones
  std::vector<std::uint32_t> counts_;  ///< items sampled of each
  std::vector<double> limits_;         ///< dissimilarity of the k-th true neighbour
};

}  // namespace pith
