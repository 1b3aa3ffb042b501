#pragma once

#include <span>
#include <vector>

#include "pith/matrix.h"
#include "pith/run.h"

namespace pith {

/// The largest total weight of a set within some of the constraints: never below what all of them allow.
class WeightRelaxation {
 public:
  struct Answer {
    double total = 0;
    double least_taken = 0;  ///< no item that ranks lower is in the best set
    /// The same within each group, where there are groups.
    std::vector<double> least_taken_of_group;
  };

  WeightRelaxation() = default;
  WeightRelaxation(const WeightRelaxation&) = delete;
  WeightRelaxation& operator=(const WeightRelaxation&) = delete;
  virtual ~WeightRelaxation() = default;

  /// Negative weights are left out.
  [[nodiscard]] virtual Answer solve(std::span<const double> weights, const Run& run) const = 0;
  /// Whether the best set has this item, up to ties.
  [[nodiscard]] virtual bool takes(const Answer& answer, std::span<const double> weights,
                                   Item item) const = 0;
};

}  // namespace pith
