#pragma once

#include <string_view>
#include <vector>

#include "pith/term.h"

namespace pith {

/// All terms that come with Pith, in the order they are shown.
[[nodiscard]] const std::vector<TermSpec>& terms();

/// By name, those of `own` before the ones of the registry; an unknown one is a bad option whose message
/// suggests the nearest.
[[nodiscard]] const TermSpec& find_term(std::string_view name, std::span<const TermSpec> own = {});

}  // namespace pith
