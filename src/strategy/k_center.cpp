#include "strategy/mean_item.h"
#include "strategy/nearest_center.h"

namespace pith {
namespace {

/// Next is always the item farthest from all chosen ones. Labelled items are chosen already; without any,
/// `start` says who is first.
std::vector<Pick> choose_farthest(const StrategyInput& input,
                                  std::vector<Pick> (*start)(const StrategyInput& input)) {
  NearestCenter oracle(input.embeddings->view, input.metric, input.run);
  return choose_greedily(oracle, input, input.pool.labelled.empty() ? start(input) : std::vector<Pick>{});
}

}  // namespace

/// Farthest first (Gonzalez 1985): within twice the least possible largest distance to a centre, without
/// caps. It covers, so it starts in the middle.
std::vector<Pick> choose_k_center(const StrategyInput& input) {
  return choose_farthest(input, nearest_to_mean);
}

/// Max-min dispersion by the same rule (Ravi, Rosenkrantz, Tayi 1994; Tamir 1991): the smallest distance
/// between two picks, or to a labelled item, is at least half of the best possible, without caps. It spreads,
/// so it starts at the rim.
std::vector<Pick> choose_max_min(const StrategyInput& input) {
  return choose_farthest(input, farthest_from_mean);
}

}  // namespace pith
