#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "graph/graph_stats.h"

namespace pith::cli {

/// Degrees, components and edge lengths, for a person and for a program.
[[nodiscard]] std::string stats_text(const GraphStats& stats);
[[nodiscard]] nlohmann::ordered_json stats_json(const GraphStats& stats);

}  // namespace pith::cli
