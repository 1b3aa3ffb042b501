#include "strategy/within_cost.h"

#include <queue>

namespace pith {
namespace {

struct Entry {
  double score;
  Item item;
};
struct TakenLater {
  bool operator()(const Entry& a, const Entry& b) const noexcept {
    return a.score < b.score || (a.score == b.score && a.item > b.item);
  }
};

struct GreedyRun {
  std::vector<Pick> picks;
  double value = 0;  ///< f beyond the labelled items
};

/// Lazy: gains only fall, and so does a gain divided by a cost. Who does not fit once never will.
GreedyRun run_once(const CostTask& task, bool per_cost) {
  ObjectiveOracle oracle(task.objective, task.graph, task.run);
  for (const Item item : task.pool.labelled) oracle.add(item);
  const double limit = cost_limit(task.cost_budget);
  std::vector<Item> items;
  for (std::size_t item = 0; item < task.pool.state.size(); ++item)
    if (task.pool.state[item] == Pool::State::candidate && task.costs[item] <= limit)
      items.push_back(static_cast<Item>(item));
  std::vector<double> gains(items.size());
  oracle.score_all(items, gains);
  const auto score_of = [&](Item item, double gain) { return per_cost ? gain / task.costs[item] : gain; };
  std::vector<Entry> entries;
  entries.reserve(items.size());
  for (std::size_t at = 0; at < items.size(); ++at)
    entries.push_back({score_of(items[at], gains[at]), items[at]});
  std::priority_queue<Entry, std::vector<Entry>, TakenLater> queue(TakenLater{}, std::move(entries));

  GreedyRun result;
  double used = 0;
  for (std::size_t step = 0; !queue.empty(); ++step) {
    if (step % 4096 == 0) {
      task.run.check_cancelled();
      task.run.report("greedy", used, task.cost_budget);
    }
    const Entry top = queue.top();
    queue.pop();
    if (used + task.costs[top.item] > limit) continue;
    const double gain = oracle.score(top.item);
    const double score = score_of(top.item, gain);
    if (score != top.score) {
      queue.push({score, top.item});
      continue;
    }
    oracle.add(top.item);
    used += task.costs[top.item];
    result.value += gain;
    result.picks.push_back({.item = top.item, .score = score});
  }
  return result;
}

}  // namespace

std::vector<Pick> choose_within_cost(const CostTask& task) {
  GreedyRun plain = run_once(task, false);
  GreedyRun per_cost = run_once(task, true);
  return std::move(plain.value > per_cost.value ? plain.picks : per_cost.picks);
}

}  // namespace pith
