#pragma once

#include "pith/options.h"
#include "pith/plan.h"

namespace pith {

/// Options by which build_checked_graph() holds what the plan says and no more, where memory is limited.
[[nodiscard]] GraphOptions as_planned(GraphOptions options, const Plan& plan);

/// What compare() holds beside the strategy that runs: the predictions and the tables of the objective that
/// all are measured by, and the picks of `strategies`.
[[nodiscard]] std::uint64_t bytes_of_comparison(const SelectInput& input, const SelectOptions& options,
                                                std::size_t strategies);

}  // namespace pith
