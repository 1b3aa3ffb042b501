#pragma once

#include <nlohmann/json.hpp>

#include "pith/plan.h"

namespace pith {

[[nodiscard]] nlohmann::ordered_json plan_json(const Plan& plan);

}  // namespace pith
