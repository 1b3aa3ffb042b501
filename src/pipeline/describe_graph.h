#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "pith/graph.h"

namespace pith {

/// How the neighbours were found and how many of them, in a line: "approximate, recall 0.9731 (95% interval
/// 0.9685 to 0.9772): comparing all pairs would take longer".
[[nodiscard]] std::string describe_search(const GraphInfo& info);

/// The same for a program: method, recall, recall_interval ([low, high] or null) and reason (or null).
[[nodiscard]] nlohmann::ordered_json search_json(const GraphInfo& info);

}  // namespace pith
