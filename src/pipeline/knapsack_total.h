#pragma once

#include <span>
#include <vector>

#include "constraint/balance.h"
#include "pipeline/weight_relaxation.h"

namespace pith {

/// The largest total weight of candidates whose costs sum to at most the budget, where the last one taken may
/// be taken in part: by weight per cost, until the money is gone. Never below what whole items can reach.
/// O(n log n).
class KnapsackTotal final : public WeightRelaxation {
 public:
  /// `costs` must outlive it; each above 0.
  KnapsackTotal(std::span<const double> costs, double cost_budget, const Pool& pool);

  [[nodiscard]] Answer solve(std::span<const double> weights, const Run& run) const override;
  [[nodiscard]] bool takes(const Answer& answer, std::span<const double> weights, Item item) const override {
    return weights[item] > 0 && weights[item] / costs_[item] >= answer.least_taken;
  }

 private:
  std::span<const double> costs_;
  double limit_;             ///< what the costs may sum up to
  std::vector<Item> items_;  ///< candidates that fit alone
};

}  // namespace pith
