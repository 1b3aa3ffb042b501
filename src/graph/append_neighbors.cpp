#include "graph/append_neighbors.h"

#include <algorithm>

#include "base/parallel.h"
#include "graph/neighbor_search.h"
#include "graph/pair_sweep.h"

namespace pith {
namespace {

/// Old groups start with the groups of their old lists. Nothing beyond the k-th old neighbour can enter:
/// among old items because it did not then, among new ones because k items are nearer or as near with lower
/// indices. A group's list may name fewer than the wanted groups where duplicates fill it; its members' lists
/// are full all the same.
void start_from(const NeighborLists& old, NeighborSearch& search, std::size_t old_groups, const Run& run) {
  const DistinctRows& distinct = search.distinct();
  parallel_for(run, old_groups, 256, [&](std::size_t begin, std::size_t end, unsigned) {
    ExactScorer scorer = search.scorer();
    std::vector<Item> groups;
    std::vector<CandidateTable::Candidate> held;
    for (auto row = static_cast<Item>(begin); row < end; ++row) {
      const std::size_t list = std::size_t{distinct.first[row]} * old.k;
      groups.clear();
      for (std::size_t at = list; at < list + old.k; ++at) groups.push_back(distinct.group_of[old.items[at]]);
      const Item farthest = groups.back();
      std::sort(groups.begin(), groups.end());
      groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
      scorer.begin(row);
      const double limit =
          farthest == row ? search.dissimilarity_within(row) : scorer.to(farthest).dissimilarity;
      held.clear();
      for (const Item group : groups)
        if (group != row)
          held.push_back({search.filter().score_ceiling(scorer.to(group).dissimilarity), group});
      search.table().start(row, search.filter().score_floor(limit), held);
    }
  });
}

}  // namespace

NeighborLists append_neighbors(const MatrixView& all, Metric metric, const NeighborLists& old, const Run& run,
                               const NeighborTuning& tuning) {
  NeighborSearch search(all, metric, old.k, run, tuning);
  const auto& first = search.distinct().first;
  const auto old_groups = static_cast<std::size_t>(
      std::lower_bound(first.begin(), first.end(), static_cast<Item>(old.n)) - first.begin());
  start_from(old, search, old_groups, run);
  PairSweep(search.filter(), search.kernel(), search.scorer(), search.table(), search.rows(), all.cols,
            tuning.block_rows, run)
      .meet_all(old_groups);
  return search.lists(run);
}

}  // namespace pith
