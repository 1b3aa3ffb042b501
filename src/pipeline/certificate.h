#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "constraint/balance.h"
#include "objective/objective.h"
#include "pith/run.h"

namespace pith {

/// An upper bound on f of every set of at most k candidates within the caps (beyond what is labelled), from
/// sets S that a run passed through. For monotone submodular f and any feasible T
///
///   f(T) <= f(S) - sum_{S \ T} least(e) + sum_{T \ S} gain(e|S),     least(e) = gain(e | everything else),
///
/// hence f(OPT) <= f(S) - sum_S least + max_T sum_T w, with w = least inside S and gain(.|S) outside. The
/// maximum over T in both matroids is relaxed to the better of the two with one matroid each, which sorting
/// solves. With least = 0 this is the textbook bound; it is never looser.
class UpperBound {
 public:
  UpperBound(const Objective& objective, const Balance& balance, const Pool& pool, std::int64_t budget,
             const Run& run);

  /// Tightens the bound with the present S. `value` is f(S) beyond the labelled items, `least_sum` the sum of
  /// least_gain over the picks in S. O(n).
  void probe(const ObjectiveState& state, double value, double least_sum);

  /// The least bound so far, rounded up by more than the rounding of its own sums.
  [[nodiscard]] double value() const noexcept { return value_; }

 private:
  /// Candidates sorted by group, so that each group's best can be found where it lies.
  struct Groups {
    std::vector<Item> items;
    std::vector<std::size_t> offsets;
    std::vector<std::size_t> keep;  ///< how many of each group may be taken
  };
  static Groups group_candidates(const Partition& partition, const Pool& pool, std::int64_t budget);
  [[nodiscard]] double best_total(const Groups& groups) const;

  const Objective& objective_;
  const Run& run_;
  std::size_t budget_;
  std::vector<Groups> relaxations_;
  std::vector<double> weights_;
  double value_ = std::numeric_limits<double>::infinity();
};

}  // namespace pith
