#pragma once

#include <cstdint>
#include <string>

#include "constraint/balance.h"
#include "pith/select.h"

namespace pith {

/// Applies the shortfall rule: leaves in `balance` the caps in force, notes in `selection` what is feasible
/// and what was relaxed, and returns how many items to choose. Throws where the rule is `error` and the
/// budget does not fit.
[[nodiscard]] std::int64_t settle_caps(Selection& selection, Balance& balance, const Pool& pool,
                                       Shortfall rule);

/// The message of --shortfall error where the greedy ended short and nobody knows whether it had to.
[[nodiscard]] std::string describe_undecided(const Selection& selection, std::size_t found);

/// One step up for all boundary caps: the least power of 1.25 that raises one; false where none binds.
[[nodiscard]] bool raise_boundary_caps(Selection& selection, Balance& balance);

}  // namespace pith
