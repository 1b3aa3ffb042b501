#include "strategy/optimizers.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "constraint/cap_tracker.h"

namespace pith {
namespace {

/// Picks made so far, and who is left to choose from.
class Progress {
 public:
  explicit Progress(const GreedyTask& task)
      : task_(task),
        wanted_(static_cast<std::size_t>(std::max<std::int64_t>(0, task.budget))),
        caps_(task.balance) {
    for (const Item item : task.pool.labelled) task.oracle.add(item);
    for (std::size_t item = 0; item < task.pool.state.size(); ++item)
      if (task.pool.state[item] == Pool::State::candidate) left_.push_back(static_cast<Item>(item));
    wanted_ = std::min(wanted_, left_.size());
  }

  [[nodiscard]] bool wants_more() const noexcept { return picks_.size() < wanted_; }
  [[nodiscard]] std::size_t wanted() const noexcept { return wanted_; }
  [[nodiscard]] bool admits(Item item) const noexcept { return caps_.admits(item); }
  /// Not yet taken and, as far as anybody has looked, not refused; in no order once sampled from.
  [[nodiscard]] std::vector<Item>& left() noexcept { return left_; }

  void take(Item item, double score) {
    task_.oracle.add(item);
    caps_.take(item);
    picks_.push_back({.item = item, .score = score});
    if (picks_.size() % 64 == 0) {
      task_.run.check_cancelled();
      task_.run.report("greedy", static_cast<double>(picks_.size()), static_cast<double>(wanted_));
    }
  }
  [[nodiscard]] std::vector<Pick> finish() { return std::move(picks_); }

 private:
  const GreedyTask& task_;
  std::size_t wanted_;
  CapTracker caps_;
  std::vector<Item> left_;
  std::vector<Pick> picks_;
};

/// Where the best of some scored items stands, ties to the lower index.
std::size_t best_of(const std::vector<Item>& items, const std::vector<double>& scores) {
  std::size_t best = 0;
  for (std::size_t at = 1; at < items.size(); ++at)
    if (scores[at] > scores[best] || (scores[at] == scores[best] && items[at] < items[best])) best = at;
  return best;
}

}  // namespace

std::vector<Pick> run_naive_greedy(const GreedyTask& task) {
  Progress progress(task);
  std::vector<Item>& left = progress.left();
  std::vector<double> scores;
  while (progress.wants_more()) {
    std::erase_if(left, [&](Item item) { return !progress.admits(item); });
    if (left.empty()) break;
    scores.resize(left.size());
    task.oracle.score_all(left, scores);
    const std::size_t best = best_of(left, scores);
    const Item item = left[best];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
    progress.take(item, scores[best]);
  }
  return progress.finish();
}

std::vector<Pick> run_stochastic_greedy(const GreedyTask& task, double epsilon, std::uint64_t seed) {
  Progress progress(task);
  std::vector<Item>& left = progress.left();
  if (!progress.wants_more()) return progress.finish();
  const double share = static_cast<double>(left.size()) / static_cast<double>(progress.wanted());
  const auto sample_size = static_cast<std::size_t>(std::max(1.0, std::ceil(share * std::log(1 / epsilon))));
  Rng rng(mix64(seed));
  std::vector<Item> sample;
  std::vector<double> scores;
  while (progress.wants_more()) {
    // The sample is moved to the front. Who does not fit is never asked again, and another is drawn.
    std::size_t drawn = 0;
    while (drawn < sample_size && drawn < left.size()) {
      const std::size_t at = drawn + rng.below(left.size() - drawn);
      if (progress.admits(left[at])) {
        std::swap(left[drawn++], left[at]);
      } else {
        left[at] = left.back();
        left.pop_back();
      }
    }
    if (drawn == 0) break;
    sample.assign(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(drawn));
    scores.resize(drawn);
    task.oracle.score_all(sample, scores);
    const std::size_t best = best_of(sample, scores);
    left[best] = left.back();
    left.pop_back();
    progress.take(sample[best], scores[best]);
  }
  return progress.finish();
}

std::vector<Pick> run_threshold_greedy(const GreedyTask& task, double epsilon) {
  Progress progress(task);
  std::vector<Item>& left = progress.left();
  if (left.empty()) return progress.finish();
  std::vector<double> bound(left.size());  // the last score of each: never below the present one
  task.oracle.score_all(left, bound);
  const double largest = *std::max_element(bound.begin(), bound.end());
  const double least = epsilon / static_cast<double>(left.size()) * largest;
  for (double bar = largest; progress.wants_more();) {
    task.run.check_cancelled();
    if (bar <= least) bar = 0;
    std::size_t kept = 0;
    for (std::size_t at = 0; at < left.size(); ++at) {
      const Item item = left[at];
      if (progress.wants_more() && bound[at] >= bar) {
        if (!progress.admits(item)) continue;
        bound[at] = task.oracle.score(item);
        if (bound[at] >= bar) {
          progress.take(item, bound[at]);
          continue;
        }
      }
      left[kept] = item;
      bound[kept++] = bound[at];
    }
    left.resize(kept);
    bound.resize(kept);
    if (bar == 0 || kept == 0) break;
    // Bars above everybody's bound would find nothing.
    const double highest = *std::max_element(bound.begin(), bound.end());
    do {
      const double lower = bar * (1 - epsilon);
      bar = lower < bar ? lower : 0;  // the smallest numbers round back to themselves
    } while (bar > highest && bar > least);
  }
  return progress.finish();
}

std::vector<Pick> run_optimizer(const GreedyTask& task, const GreedyOptions& options, std::uint64_t seed) {
  switch (options.optimizer) {
    case Optimizer::naive:
      return run_naive_greedy(task);
    case Optimizer::stochastic:
      return run_stochastic_greedy(task, options.stochastic_epsilon, seed);
    case Optimizer::threshold:
      return run_threshold_greedy(task, options.threshold_epsilon);
    case Optimizer::lazy:
      break;
  }
  return run_greedy(task.oracle, task.balance, task.pool, task.budget, task.run);
}

}  // namespace pith
