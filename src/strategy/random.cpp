#include "base/rng.h"
#include "strategy/registry.h"

namespace pith {

/// Every item draws a number by (seed, index), and the largest go first: a uniformly random order, whatever
/// the number of threads. Under caps, the greedy over that order is random sampling within them.
std::vector<Pick> choose_random(const StrategyInput& input) {
  std::vector<double> scores(input.predictions.size());
  for (std::size_t item = 0; item < scores.size(); ++item) scores[item] = random_unit(input.seed, item);
  ModularOracle oracle(std::move(scores));
  return choose_greedily(oracle, input);
}

}  // namespace pith
