#pragma once

#include <unordered_map>
#include <vector>

#include "graph/neighbor_search.h"
#include "graph/query_sweep.h"
#include "graph/share_interval.h"

namespace pith {

/// How many of the true neighbours of a random sample of items a table has found.
class RecallCheck {
 public:
  RecallCheck(const NeighborSearch& search, std::uint32_t k, std::uint64_t seed);

  /// Draws up to `more` items more, for whom `finder` finds the truth: O(more * rows * dimension).
  void extend(const NeighborSearch& search, std::size_t more, const NearestFinder& finder);
  [[nodiscard]] std::size_t sampled() const noexcept { return drawn_; }
  /// No more items can be drawn.
  [[nodiscard]] std::size_t most() const noexcept { return order_.size(); }
  /// Rows of the sampled items, each once, and of whom they should find.
  [[nodiscard]] std::span<const Item> groups() const noexcept { return groups_; }
  [[nodiscard]] const std::vector<ExactScorer::Scored>& truth(std::size_t at) const { return truth_[at]; }

  /// found[j]: of how many sampled items the table of the search holds j of their k true neighbours. Equally
  /// far ones count as true.
  [[nodiscard]] std::vector<std::uint64_t> measure(NeighborSearch& search, const Run& run) const;
  /// The same if items found those others for whom meets(place of the item in groups(), row) holds, and
  /// nobody else: never more than measure() will say of such a table.
  template <class Meets>
  [[nodiscard]] std::vector<std::uint64_t> predict(const NeighborSearch& search, Meets meets) const {
    std::vector<std::uint64_t> found(k_ + std::size_t{1}, 0);
    std::vector<ExactScorer::Scored> met;
    for (std::size_t at = 0; at < groups_.size(); ++at) {
      met.clear();
      for (const auto& other : truth_[at])
        if (meets(at, other.row)) met.push_back(other);
      found[count_within(search, groups_[at], met, limits_[at])] += counts_[at];
    }
    return found;
  }

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
  std::vector<Item> groups_;                        ///< sampled rows, each once
  std::unordered_map<Item, std::size_t> place_of_;  ///< of a row in groups_
  std::vector<std::uint32_t> counts_;               ///< items sampled of each
  std::vector<double> limits_;                      ///< dissimilarity of the k-th true neighbour
  std::vector<std::vector<ExactScorer::Scored>> truth_;
};

}  // namespace pith
