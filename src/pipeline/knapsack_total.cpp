#include "pipeline/knapsack_total.h"

#include <algorithm>

#include "strategy/within_cost.h"

namespace pith {

KnapsackTotal::KnapsackTotal(std::span<const double> costs, double cost_budget, const Pool& pool)
    : costs_(costs), limit_(cost_limit(cost_budget)) {
  for (std::size_t item = 0; item < pool.state.size(); ++item)
    if (pool.state[item] == Pool::State::candidate && costs[item] <= limit_)
      items_.push_back(static_cast<Item>(item));
}

WeightRelaxation::Answer KnapsackTotal::solve(std::span<const double> weights, const Run& run) const {
  run.check_cancelled();
  struct Ranked {
    double per_cost;
    Item item;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(items_.size());
  for (const Item item : items_)
    if (weights[item] > 0) ranked.push_back({weights[item] / costs_[item], item});
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return a.per_cost != b.per_cost ? a.per_cost > b.per_cost : a.item < b.item;
  });
  Answer answer;
  double left = limit_;
  for (const Ranked& next : ranked) {
    answer.least_taken = next.per_cost;
    if (costs_[next.item] >= left) {
      answer.total += weights[next.item] * (left / costs_[next.item]);
      return answer;
    }
    left -= costs_[next.item];
    answer.total += weights[next.item];
  }
  answer.least_taken = 0;
  return answer;
}

}  // namespace pith
