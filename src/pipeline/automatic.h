#pragma once

#include "constraint/balance.h"
#include "pith/select.h"

namespace pith {

/// How much diversity still counts against uncertainty, in (0,1], where a share r of the items is chosen and
/// their mean uncertainty is u: min(1, u / r)^8, but at least 1/100 (docs/method.md).
[[nodiscard]] double diversity_left(double uncertainty, double share);

/// The factor of the class caps, at least 1, likewise: 8 (r / u - 1), at most 792 (docs/method.md).
[[nodiscard]] double loosened_class_caps(double uncertainty, double share);

/// Fills in what the user left open, by the data and the budget.
void settle_automatic(SelectOptions& options, const SelectInput& input, const Pool& pool);

}  // namespace pith
