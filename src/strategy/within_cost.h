#pragma once

#include <span>
#include <vector>

#include "objective/objective.h"
#include "strategy/greedy.h"

namespace pith {

/// What costs may sum up to: the budget, and a billionth more, so that decimals add up as on paper (three of
/// 0.1 fit into 0.3).
[[nodiscard]] constexpr double cost_limit(double cost_budget) noexcept {
  return cost_budget * (1 + 1e-9);
}

/// What a choice by cost looks at. Costs are above 0 and finite; caps do not apply.
struct CostTask {
  const Objective& objective;
  const Graph& graph;
  const Pool& pool;
  std::span<const double> costs;
  double cost_budget = 0;
  const Run& run;
};

/// Two greedy runs, one that takes the largest gain next and one the largest gain per cost, each among the
/// items that still fit, ties to the lower index, until nothing fits; the better one by f, the second where
/// they tie. f(S) >= (1 - 1/e) / 2 f(OPT) (Leskovec and others 2007). A pick's score is what its run ranked
/// by.
[[nodiscard]] std::vector<Pick> choose_within_cost(const CostTask& task);

}  // namespace pith
