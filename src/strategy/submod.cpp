#include "strategy/registry.h"

namespace pith {

/// submod and submod-bal: greedy on the marginal gains of f.
std::vector<Pick> choose_by_objective(const StrategyInput& input) {
  ObjectiveOracle oracle(*input.objective, *input.graph, input.run);
  return choose_greedily(oracle, input);
}

}  // namespace pith
