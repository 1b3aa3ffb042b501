#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "graph/graph_stats.h"

namespace pith::cli {

/// How the neighbours were found, for a person.
[[nodiscard]] std::string search_text(const GraphInfo& info);
/// Degrees, components and edge lengths, for a person and for a program.
[[nodiscard]] std::string stats_text(const GraphStats& stats);
[[nodiscard]] nlohmann::ordered_json stats_json(const GraphStats& stats);

/// Two spaces deep. Bytes of a file name that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

}  // namespace pith::cli
