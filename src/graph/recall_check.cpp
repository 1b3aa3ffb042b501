#include "graph/recall_check.h"

#include <algorithm>
#include <map>

#include "base/parallel.h"
#include "base/sample.h"

namespace pith {

RecallCheck::RecallCheck(const NeighborSearch& search, std::uint32_t k, std::uint64_t seed) : k_(k) {
  constexpr std::size_t most = 1 << 16;
  Rng rng(seed);
  order_ = sample_without_repeats(search.view().rows, std::min(most, search.view().rows), rng);
  for (std::size_t at = order_.size(); at > 1; --at) std::swap(order_[at - 1], order_[rng.below(at)]);
}

void RecallCheck::extend(const NeighborSearch& search, std::size_t more, const NearestFinder& finder) {
  const std::size_t end = std::min(order_.size(), drawn_ + more);
  std::map<Item, std::uint32_t> count_of;
  for (; drawn_ < end; ++drawn_) {
    const Item group = search.distinct().group_of[order_[drawn_]];
    // Equal items drawn at different times are one row of the table: measure() must not look at it twice.
    if (const auto known = place_of_.find(group); known != place_of_.end())
      ++counts_[known->second];
    else
      ++count_of[group];
  }
  std::vector<Item> queries;
  for (const auto& [group, count] : count_of) {
    place_of_.emplace(group, groups_.size() + queries.size());
    queries.push_back(group);
    counts_.push_back(count);
  }
  auto truth = finder(queries);
  for (std::size_t at = 0; at < queries.size(); ++at) limits_.push_back(kth(search, queries[at], truth[at]));
  groups_.insert(groups_.end(), queries.begin(), queries.end());
  std::move(truth.begin(), truth.end(), std::back_inserter(truth_));
}

double RecallCheck::kth(const NeighborSearch& search, Item group,
                        const std::vector<ExactScorer::Scored>& nearest) const {
  std::vector<std::pair<double, std::uint64_t>> steps;
  const auto& starts = search.distinct().starts;
  steps.emplace_back(search.dissimilarity_within(group), starts[group + 1] - starts[group] - 1);
  for (const auto& other : nearest)
    steps.emplace_back(other.dissimilarity, starts[other.row + 1] - starts[other.row]);
  std::sort(steps.begin(), steps.end());
  std::uint64_t seen = 0;
  for (const auto& [dissimilarity, items] : steps) {
    seen += items;
    if (seen >= k_) return dissimilarity;
  }
  return steps.back().first;
}

std::uint64_t RecallCheck::count_within(const NeighborSearch& search, Item group,
                                        const std::vector<ExactScorer::Scored>& nearest, double limit) const {
  const auto& starts = search.distinct().starts;
  std::uint64_t within =
      search.dissimilarity_within(group) <= limit ? starts[group + 1] - starts[group] - 1 : 0;
  for (const auto& other : nearest)
    if (other.dissimilarity <= limit) within += starts[other.row + 1] - starts[other.row];
  return std::min<std::uint64_t>(within, k_);
}

std::vector<std::uint64_t> RecallCheck::measure(NeighborSearch& search, const Run& run) const {
  std::vector<std::uint64_t> of_group(groups_.size());
  parallel_for(run, groups_.size(), 16, [&](std::size_t begin, std::size_t end, unsigned) {
    ExactScorer scorer = search.scorer();
    for (std::size_t at = begin; at < end; ++at) {
      search.table().finish(groups_[at], scorer);
      of_group[at] = count_within(search, groups_[at], scorer.scored, limits_[at]);
    }
  });
  std::vector<std::uint64_t> found(k_ + std::size_t{1}, 0);
  for (std::size_t at = 0; at < groups_.size(); ++at) found[of_group[at]] += counts_[at];
  return found;
}

}  // namespace pith
