#include "pipeline/best_total.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/parallel.h"

namespace pith {

BestTotal::BestTotal(const Partition& partition, const Pool& pool, std::int64_t budget)
    : partition_(partition), budget_(static_cast<std::size_t>(budget)), offsets_(partition.groups() + 2, 0) {
  const auto is_candidate = [&](std::size_t item) { return pool.state[item] == Pool::State::candidate; };
  for (std::size_t item = 0; item < pool.state.size(); ++item)
    if (is_candidate(item)) ++offsets_[group_of(static_cast<Item>(item)) + 1];
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  items_.resize(offsets_.back());
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t item = 0; item < pool.state.size(); ++item)
    if (is_candidate(item)) items_[next[group_of(static_cast<Item>(item))]++] = static_cast<Item>(item);

  for (std::size_t group = 0; group <= partition.groups(); ++group) {
    const auto size = static_cast<std::int64_t>(offsets_[group + 1] - offsets_[group]);
    const std::int64_t room = group < partition.groups() ? partition.room(group) : size;
    keep_.push_back(static_cast<std::size_t>(std::min({size, room, budget})));
  }
  kept_at_.assign(keep_.size() + 1, 0);
  std::partial_sum(keep_.begin(), keep_.end(), kept_at_.begin() + 1);
}

WeightRelaxation::Answer BestTotal::solve(std::span<const double> weights, const Run& run) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Answer answer;
  answer.least_taken_of_group.assign(keep_.size(), infinity);
  std::vector<double> kept(kept_at_.back());
  parallel_for(run, keep_.size(), 64, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    std::vector<double> members;
    for (std::size_t group = begin; group < end; ++group) {
      const std::size_t keep = keep_[group];
      if (keep == 0) continue;
      members.clear();
      for (std::size_t at = offsets_[group]; at < offsets_[group + 1]; ++at)
        members.push_back(weights[items_[at]]);
      const auto last = members.begin() + static_cast<std::ptrdiff_t>(keep) - 1;
      if (keep < members.size()) {
        std::nth_element(members.begin(), last, members.end(), std::greater<>());
        answer.least_taken_of_group[group] = *last;
      } else {
        answer.least_taken_of_group[group] = -infinity;
      }
      std::copy_n(members.begin(), keep, kept.begin() + static_cast<std::ptrdiff_t>(kept_at_[group]));
    }
  });
  const std::size_t count = std::min(budget_, kept.size());
  if (count == 0) return answer;
  const auto last = kept.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::nth_element(kept.begin(), last, kept.end(), std::greater<>());
  answer.least_taken = *last;
  for (auto at = kept.begin(); at <= last; ++at) answer.total += std::max(0.0, *at);
  return answer;
}

}  // namespace pith
