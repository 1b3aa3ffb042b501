#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pith/graph.h"

namespace pith {

inline constexpr std::uint32_t no_pick = 0xffffffff;

/// For each item the place in `picks` of the pick that stands for it: itself, else the nearest among its
/// graph neighbours (ties to the pick of the lower index), else no_pick. O(edges of the picks).
[[nodiscard]] std::vector<std::uint32_t> find_representatives(const Graph& graph,
                                                              std::span<const Item> picks);

}  // namespace pith
