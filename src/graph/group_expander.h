#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "graph/candidates.h"
#include "graph/exact_neighbors.h"
#include "graph/metric.h"
#include "graph/rows.h"

namespace pith {

/// The k nearest of one item from the nearest groups of its group. The k nearest items lie in the k nearest
/// groups by (dissimilarity, lowest member) and in the item's own, and among the first k members of each.
class GroupExpander {
 public:
  /// The lists are those of the items from `first` on.
  GroupExpander(const DistinctRows& distinct, NeighborLists& lists, std::size_t first = 0)
      : distinct_(distinct), lists_(lists), first_(first) {}

  /// Entries of every member of the group whose list is wanted.
  void expand(Item group, double dissimilarity_within, std::span<const ExactScorer::Scored> nearest,
              std::vector<ExactScorer::Scored>& scratch) const {
    if (distinct_.first.size() == distinct_.members.size()) return copy(group, nearest);
    scratch.clear();
    add(group, dissimilarity_within, lists_.k + 1, scratch);
    for (const auto& other : nearest) add(other.row, other.dissimilarity, lists_.k, scratch);
    std::sort(scratch.begin(), scratch.end());
    for (const Item item : members(group)) {
      if (item < first_ || item >= first_ + lists_.n) continue;
      std::size_t at = (item - first_) * lists_.k;
      const std::size_t end = at + lists_.k;
      for (auto next = scratch.begin(); at < end; ++next) {
        if (next->row == item) continue;
        lists_.items[at] = next->row;
        lists_.dissimilarities[at++] = stored_dissimilarity(next->dissimilarity);
      }
    }
  }

 private:
  /// Where no two rows are equal, groups are items, and their neighbours are in order.
  void copy(Item item, std::span<const ExactScorer::Scored> nearest) const {
    std::size_t at = (item - first_) * lists_.k;
    for (const auto& other : nearest) {
      lists_.items[at] = other.row;
      lists_.dissimilarities[at++] = stored_dissimilarity(other.dissimilarity);
    }
  }
  [[nodiscard]] std::span<const Item> members(Item group) const {
    return std::span(distinct_.members)
        .subspan(distinct_.starts[group], distinct_.starts[group + 1] - distinct_.starts[group]);
  }
  void add(Item group, double value, std::size_t most, std::vector<ExactScorer::Scored>& out) const {
    const auto all = members(group);
    for (const Item item : all.first(std::min(most, all.size()))) out.push_back({value, item, item});
  }

  const DistinctRows& distinct_;
  NeighborLists& lists_;
  std::size_t first_;
};

}  // namespace pith
