#pragma once

#include "pith/options.h"
#include "pith/plan.h"

namespace pith {

/// Options by which build_checked_graph() holds what the plan says and no more, where memory is limited.
[[nodiscard]] GraphOptions as_planned(GraphOptions options, const Plan& plan);

}  // namespace pith
