#include "strategy/registry.h"

namespace pith {

/// margin, entropy, least-confidence: top k by the score the predictions were read with.
std::vector<Pick> choose_uncertain(const StrategyInput& input) {
  const auto scores = input.predictions.uncertainty();
  ModularOracle oracle({scores.begin(), scores.end()});
  return choose_greedily(oracle, input);
}

}  // namespace pith
