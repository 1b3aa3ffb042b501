#pragma once

#include <vector>

#include "strategy/registry.h"

namespace pith {

// Where a strategy begins when nothing is chosen yet: the admissible candidate nearest to the mean of all
// rows, or the farthest from it, ties to the lower index. One pick of infinite score, or none where no
// candidate is admissible.

[[nodiscard]] std::vector<Pick> nearest_to_mean(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> farthest_from_mean(const StrategyInput& input);

}  // namespace pith
