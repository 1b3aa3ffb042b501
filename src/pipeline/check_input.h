#pragma once

#include <cstdint>

#include "constraint/balance.h"
#include "pith/select.h"
#include "strategy/registry.h"

namespace pith {

// What is given to select(), checked before any work. Each throws an Error that names what is wrong.

/// Which items can be chosen. Refuses indices that do not exist, and items that are labelled twice, or both
/// labelled and excluded.
[[nodiscard]] Pool make_pool(const SelectInput& input);

/// That the parts describe the same items, and hold all that the strategy (and measuring) needs.
void require_matching(const SelectInput& input, const Strategy& strategy, bool measure);

/// That costs and their budget come together, one positive cost an item.
void require_costs(const SelectInput& input, const SelectOptions& options);

/// That the cheapest candidate can be paid for, where a cost is the limit.
void require_affordable(const SelectInput& input, const SelectOptions& options, const Pool& pool);

/// How many items are asked for; all candidates where a cost is the limit.
[[nodiscard]] std::int64_t checked_budget(const SelectOptions& options, const Pool& pool);

}  // namespace pith
