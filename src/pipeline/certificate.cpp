#include "pipeline/certificate.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/parallel.h"

namespace pith {
namespace {

/// Sum of the `count` largest of [begin, end), which it reorders.
double sum_of_largest(double* begin, double* end, std::size_t count) {
  count = std::min(count, static_cast<std::size_t>(end - begin));
  if (begin + count != end) std::nth_element(begin, begin + count, end, std::greater<>());
  return std::accumulate(begin, begin + count, 0.0);
}

}  // namespace

UpperBound::UpperBound(const Objective& objective, const Balance& balance, const Pool& pool,
                       std::int64_t budget, const Run& run)
    : objective_(objective),
      run_(run),
      budget_(static_cast<std::size_t>(budget)),
      weights_(objective.items()) {
  // With neither constraint on, the class groups are unlimited and one relaxation is the problem itself.
  if (balance.classes.active || !balance.boundaries.active)
    relaxations_.push_back(group_candidates(balance.classes, pool, budget));
  if (balance.boundaries.active) relaxations_.push_back(group_candidates(balance.boundaries, pool, budget));
}

UpperBound::Groups UpperBound::group_candidates(const Partition& partition, const Pool& pool,
                                                std::int64_t budget) {
  const std::size_t unlimited = partition.groups();
  const auto group_of = [&](Item item) {
    return partition.active && partition.group_of[item] != no_group ? partition.group_of[item] : unlimited;
  };
  Groups groups;
  groups.offsets.assign(unlimited + 2, 0);
  for (std::size_t item = 0; item < pool.state.size(); ++item)
    if (pool.state[item] == Pool::State::candidate) ++groups.offsets[group_of(static_cast<Item>(item)) + 1];
  std::partial_sum(groups.offsets.begin(), groups.offsets.end(), groups.offsets.begin());
  groups.items.resize(groups.offsets.back());
  std::vector<std::size_t> next(groups.offsets.begin(), groups.offsets.end() - 1);
  for (std::size_t item = 0; item < pool.state.size(); ++item)
    if (pool.state[item] == Pool::State::candidate)
      groups.items[next[group_of(static_cast<Item>(item))]++] = static_cast<Item>(item);

  groups.keep.resize(unlimited + 1);
  for (std::size_t group = 0; group <= unlimited; ++group) {
    const std::int64_t size = static_cast<std::int64_t>(groups.offsets[group + 1] - groups.offsets[group]);
    const std::int64_t room = group < unlimited ? partition.room(group) : size;
    groups.keep[group] = static_cast<std::size_t>(std::min({size, room, budget}));
  }
  return groups;
}

double UpperBound::best_total(const Groups& groups) const {
  std::vector<std::size_t> kept_at(groups.keep.size() + 1, 0);
  std::partial_sum(groups.keep.begin(), groups.keep.end(), kept_at.begin() + 1);
  std::vector<double> kept(kept_at.back());
  parallel_for(run_, groups.keep.size(), 64, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    std::vector<double> members;
    for (std::size_t group = begin; group < end; ++group) {
      const std::size_t keep = groups.keep[group];
      if (keep == 0) continue;
      members.clear();
      for (std::size_t at = groups.offsets[group]; at < groups.offsets[group + 1]; ++at)
        members.push_back(weights_[groups.items[at]]);
      if (keep < members.size())
        std::nth_element(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(keep), members.end(),
                         std::greater<>());
      std::copy_n(members.begin(), keep, kept.begin() + static_cast<std::ptrdiff_t>(kept_at[group]));
    }
  });
  return sum_of_largest(kept.data(), kept.data() + kept.size(), budget_);
}

void UpperBound::probe(const ObjectiveState& state, double value, double least_sum) {
  parallel_for(run_, weights_.size(), 1 << 15, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    for (std::size_t at = begin; at < end; ++at) {
      const auto item = static_cast<Item>(at);
      weights_[at] = state.set().contains(item) ? objective_.least_gain(item) : state.gain(item);
    }
  });
  double best = std::numeric_limits<double>::infinity();
  for (const Groups& groups : relaxations_) best = std::min(best, best_total(groups));
  const double bound = value - least_sum + best;
  // Each of the three is a sum of at most `budget` non-negative terms, off by no more than that many
  // roundings.
  const double rounding = 0x1p-52 * static_cast<double>(budget_ + 8);
  value_ = std::min(value_, bound + rounding * (value + least_sum + best));
}

}  // namespace pith
