#include <algorithm>
#include <cmath>
#include <limits>

#include "strategy/nearest_center.h"
#include "strategy/registry.h"

namespace pith {
namespace {

/// Smallest distances tried: twice what farthest first reaches (no k items are farther apart than that), and
/// so much less each time.
constexpr std::size_t thresholds = 12;
constexpr double threshold_ratio = 1.25;
/// Below every gain: an item too near to a chosen one.
constexpr double refused = -1;

double length_of(Metric metric, double dissimilarity) {
  return metric == Metric::cosine ? std::sqrt(2 * dissimilarity) : dissimilarity;
}

/// Gains of f, for items at least `apart` away from all chosen ones. Distances to the chosen and gains only
/// fall, so scores do.
class SeparatedOracle final : public Oracle {
 public:
  SeparatedOracle(const StrategyInput& input, double apart)
      : gains_(*input.objective, *input.graph, input.run),
        nearest_(input.embeddings->view, input.metric, input.run),
        metric_(input.metric),
        apart_(apart),
        given_(input.pool.labelled.size()) {}

  [[nodiscard]] double score(Item item) override {
    return apart_ > 0 && too_near(nearest_.score(item)) ? refused : gains_.score(item);
  }
  void score_all(std::span<const Item> items, std::span<double> out) override {
    if (apart_ <= 0) return gains_.score_all(items, out);
    distances_.resize(items.size());
    nearest_.score_all(items, distances_);
    gains_.score_all(items, out);
    for (std::size_t at = 0; at < items.size(); ++at)
      if (too_near(distances_[at])) out[at] = refused;
  }
  [[nodiscard]] std::size_t batch(Item item) const override { return apart_ > 0 ? nearest_.batch(item) : 1; }
  void expect(Item item) const override { gains_.expect(item); }
  void add(Item item) override {
    if (added_++ >= given_ && added_ > 1) least_ = std::min(least_, nearest_.score(item));
    gains_.add(item);
    nearest_.add(item);
  }
  void remove(Item item) override { gains_.remove(item); }
  void influenced(Item item, std::vector<Item>& out) const override { gains_.influenced(item, out); }

  /// Smallest length between two picks, or between a pick and a labelled item; 0 where there is no pair.
  [[nodiscard]] double least_length() const { return std::isinf(least_) ? 0 : length_of(metric_, least_); }

 private:
  [[nodiscard]] bool too_near(double dissimilarity) const {
    return length_of(metric_, dissimilarity) < apart_;
  }

  ObjectiveOracle gains_;
  NearestCenter nearest_;
  Metric metric_;
  double apart_;
  std::size_t given_;
  std::size_t added_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  std::vector<double> distances_;
};

/// What farthest first reaches without caps: at least half of what any k items can.
double reachable_distance(const StrategyInput& input) {
  Balance free = input.balance;
  free.classes.active = false;
  free.boundaries.active = false;
  NearestCenter oracle(input.embeddings->view, input.metric, input.run);
  const std::vector<Pick> picks = run_greedy(oracle, free, input.pool, input.budget, input.run);
  return picks.empty() || std::isinf(picks.back().score) ? 0 : length_of(input.metric, picks.back().score);
}

struct Trial {
  std::vector<Pick> picks;
  double value = -std::numeric_limits<double>::infinity();
};

/// The greedy on f among items at least `apart` from each other. A trial that does not fill the budget so is
/// worth nothing, unless nothing is asked of it.
Trial try_threshold(const StrategyInput& input, double apart) {
  SeparatedOracle oracle(input, apart);
  Trial trial{.picks = choose_greedily(oracle, input)};
  double sum = 0;
  bool met = true;
  for (const Pick& pick : trial.picks) {
    met = met && pick.score >= 0 && !pick.augmented;
    sum += pick.score;
  }
  if (met || apart == 0)
    trial.value = sum / static_cast<double>(trial.picks.size()) +
                  input.special.spread * (met ? oracle.least_length() : 0);
  return trial;
}

}  // namespace

/// Greedy independent set thresholding (Fahrbach, Ramalingam, Zadimoghaddam, Ahmadian, Citovsky, DeSalvo
/// 2024): for a row of distances, the greedy on f among items at least so far apart; of these sets the one
/// with the largest f / k + spread * smallest distance. The paper's sets may be smaller than the budget, and
/// then hold half of the best possible; here only sets that fill it count.
std::vector<Pick> choose_gist(const StrategyInput& input) {
  Trial best = try_threshold(input, 0);
  double apart = 2 * reachable_distance(input);
  for (std::size_t at = 0; at < thresholds && apart > 0; ++at, apart /= threshold_ratio) {
    input.run.report("gist", static_cast<double>(at), static_cast<double>(thresholds));
    Trial trial = try_threshold(input, apart);
    if (trial.value > best.value) best = std::move(trial);
  }
  return std::move(best.picks);
}

}  // namespace pith
