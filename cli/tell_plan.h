#pragma once

#include "pith/plan.h"
#include "settings.h"

namespace pith::cli {

/// Refuses a plan that does not fit. Shows it where memory is limited or the work takes a while, unless the
/// command is to be quiet or to write JSON.
void tell_plan(const Plan& plan, std::optional<std::uint64_t> memory_bytes, const Settings& settings);

/// Shows it, in whatever form the command prints, and whether or not it fits.
void show_plan(const Plan& plan, std::optional<std::uint64_t> memory_bytes, const Settings& settings);

}  // namespace pith::cli
