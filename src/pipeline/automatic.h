#pragma once

#include <string>
#include <vector>

#include "constraint/balance.h"
#include "pith/select.h"

namespace pith {

/// The factor of the weight of uncertainty where a share r of the items is chosen and their mean uncertainty
/// is u: (r / u)^2; beyond 1, where classes are too uneven for equal caps, (r / u)^6; at most 10^4
/// (docs/method.md).
[[nodiscard]] double uncertainty_share(double uncertainty, double share, bool uneven);

/// How much diversity still counts against uncertainty, in (0,1], likewise: min(1, u / r)^6, but at least
/// 1/100.
[[nodiscard]] double diversity_left(double uncertainty, double share);

/// The factor of the class caps where equal ones cannot be met, at least 1, likewise: 8 (r / u - 1), at most
/// 792 (docs/method.md).
[[nodiscard]] double loosened_class_caps(double uncertainty, double share);

/// Fills in what the user left open, by the data and the budget. Names of the options it filled in.
std::vector<std::string> settle_automatic(SelectOptions& options, const SelectInput& input, const Pool& pool);

}  // namespace pith
