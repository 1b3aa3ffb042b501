#include "strategy/registry.h"
#include "strategy/within_cost.h"

namespace pith {

/// submod and its like: greedy on the marginal gains of f.
std::vector<Pick> choose_by_objective(const StrategyInput& input) {
  if (!input.costs.empty())
    return choose_within_cost({.objective = *input.objective,
                               .graph = *input.graph,
                               .pool = input.pool,
                               .costs = input.costs,
                               .cost_budget = input.cost_budget,
                               .run = input.run});
  ObjectiveOracle oracle(*input.objective, *input.graph, input.run);
  return choose_greedily(oracle, input);
}

}  // namespace pith
