#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "constraint/balance.h"
#include "objective/objective.h"
#include "pipeline/weight_relaxation.h"
#include "pith/run.h"

namespace pith {

/// An upper bound on f of every set of at most `budget` candidates within the caps (beyond what is labelled).
/// Both bounds reduce f to a weight an item, and the two matroids to the better of the two alone, which
/// sorting solves; docs/certificate.md has the proofs.
class UpperBound {
 public:
  /// `labelled_only` is the state of f with the labelled items and no picks.
  UpperBound(const Objective& objective, const ObjectiveState& labelled_only, const Balance& balance,
             const Pool& pool, std::int64_t budget, const Run& run);
  /// The same for sets of any size whose costs sum to at most `cost_budget`.
  UpperBound(const Objective& objective, const ObjectiveState& labelled_only, const Pool& pool,
             std::span<const double> costs, double cost_budget, const Run& run);

  /// From the gains of the candidates alone (0 for all other items), for those who hold the graph in parts:
  /// probe() then takes weights, and refine() is theirs to do.
  UpperBound(std::vector<double> gains, const Balance& balance, const Pool& pool, std::int64_t budget);

  /// From a set S the run passed through: with least(e) = gain(e | everything else),
  ///   f(OPT) <= f(S) - sum_S least + max_T ( sum over T inside S of least + over T outside S of gain(e|S) ).
  /// With least = 0 this is the textbook bound; it is never looser. `value` is f(S) beyond the labelled
  /// items, `least_sum` the sum of least_gain over the picks in S. O(n).
  void probe(const ObjectiveState& state, double value, double least_sum, const Run& run);
  /// The same from least(e) of the items in S and gain(e|S) of all others.
  void probe(std::span<const double> weights, double value, double least_sum, const Run& run);

  /// The part of refine() that needs neither target nor graph, its start at q = 0: to be done ahead of it,
  /// perhaps.
  void prepare(const Run& run);

  /// From the edges: for any q with 0 <= q(i,j) <= p(i,j), the loss for choosing both ends of an edge,
  ///   f(OPT) <= sum of q + max_T sum over T of ( gain(e|{}) - sum of q over e's edges ).
  /// Starts at q = 0 and follows projected subgradients towards the best q, which is the linear-programming
  /// bound; `target` is the f reached. O(rounds * edges).
  void refine(const Graph& graph, double target, int rounds, const Run& run);

  /// The least bound so far, rounded up by more than the rounding of its own sums.
  [[nodiscard]] double value() const noexcept { return value_; }

  /// What refine() is made of. After prepare():
  [[nodiscard]] const WeightRelaxation& tightest() const noexcept { return *tightest_; }
  [[nodiscard]] const WeightRelaxation::Answer& at_rest() const noexcept { return at_rest_; }
  [[nodiscard]] const std::vector<double>& gains() const noexcept { return gains_; }
  /// Notes a bound; `magnitude` is the sum of the absolute values behind it.
  void offer(double bound, double magnitude);
  /// The most q of an edge can be, rounded down so that it never exceeds the loss. 0, which is always right,
  /// where a float would round it up by more, or not hold it.
  [[nodiscard]] static float largest_share(double loss, double similarity) noexcept {
    const double most = loss * similarity;
    if (!(most > 0x1p-100 && most < 0x1p100)) return 0;
    return static_cast<float>(most) * (1 - 0x1p-22F);
  }
  /// q after a step, between 0 and its most.
  [[nodiscard]] static float moved_by(float q, double step, float most) noexcept {
    return static_cast<float>(std::clamp(static_cast<double>(q) + step, 0.0, static_cast<double>(most)));
  }
  /// Sums over items as refine() has them: of each chunk in item order, then of the chunks in order.
  template <class Value>
  [[nodiscard]] static double sum_in_chunks(std::size_t count, Value value) {
    double sum = 0;
    for (std::size_t begin = 0; begin < count; begin += chunk) {
      double part = 0;
      for (std::size_t item = begin; item < std::min(count, begin + chunk); ++item) part += value(item);
      sum += part;
    }
    return sum;
  }

 private:
  static constexpr std::size_t chunk = 1 << 14;  ///< items summed up at a time
  UpperBound(const Objective& objective, const ObjectiveState& labelled_only, const Pool& pool,
             std::size_t most_items, const Run& run);
  void relax(const Balance& balance, std::int64_t budget);

  const Objective* objective_ = nullptr;  ///< null where only gains are known
  const Pool& pool_;
  std::size_t most_items_;
  std::vector<std::unique_ptr<WeightRelaxation>> relaxations_;
  std::vector<double> gains_;  ///< of each candidate alone
  /// Of the relaxations at q = 0; it stays so for all q but oddities. Null before prepare().
  const WeightRelaxation* tightest_ = nullptr;
  WeightRelaxation::Answer at_rest_;  ///< its answer there
  double value_ = std::numeric_limits<double>::infinity();
};

}  // namespace pith
