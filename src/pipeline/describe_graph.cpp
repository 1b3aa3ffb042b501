#include "pipeline/describe_graph.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace pith {
namespace {

// Four digits, away from what would look better than it is; the slack takes 0.97 for 0.97.
constexpr double digits = 1e4;
constexpr double slack = 1e-9;

std::string rounded_down(double share) {
  return share == 1 ? "1" : fmt::format("{:.4f}", std::floor(share * digits + slack) / digits);
}
std::string rounded_up(double share) {
  return share == 1 ? "1" : fmt::format("{:.4f}", std::ceil(share * digits - slack) / digits);
}

}  // namespace

std::string describe_search(const GraphInfo& info) {
  std::string text = info.method;
  if (info.recall) text += fmt::format(", recall {}", rounded_down(*info.recall));
  if (info.recall_interval)
    text += fmt::format(" (95% interval {} to {})", rounded_down(info.recall_interval->first),
                        rounded_up(info.recall_interval->second));
  if (!info.reason.empty()) text += fmt::format(": {}", info.reason);
  return text;
}

nlohmann::ordered_json search_json(const GraphInfo& info) {
  using Json = nlohmann::ordered_json;
  const auto& interval = info.recall_interval;
  return {{"method", info.method},
          {"recall", info.recall ? Json(*info.recall) : Json(nullptr)},
          {"recall_interval", interval ? Json::array({interval->first, interval->second}) : Json(nullptr)},
          {"reason", info.reason.empty() ? Json(nullptr) : Json(info.reason)}};
}

}  // namespace pith
