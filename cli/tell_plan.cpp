#include "tell_plan.h"

#include <fmt/format.h>

#include <cstdio>

#include "pipeline/plan_json.h"
#include "run_app.h"

namespace pith::cli {

void tell_plan(const Plan& plan, std::optional<std::uint64_t> memory_bytes, const Settings& settings) {
  constexpr double worth_telling_seconds = 10;
  require_memory(plan, memory_bytes);
  note_planned_memory(plan.most_bytes());
  if (settings.flag("quiet") || settings.flag("json")) return;
  if (!memory_bytes && plan.seconds() < worth_telling_seconds) return;
  fmt::print("{}", plan_text(plan, memory_bytes));
  std::fflush(stdout);
}

void show_plan(const Plan& plan, std::optional<std::uint64_t> memory_bytes, const Settings& settings) {
  if (settings.flag("json"))
    fmt::print("{}\n", plan_json(plan).dump(2));
  else
    fmt::print("{}", plan_text(plan, memory_bytes));
  require_memory(plan, memory_bytes);
}

}  // namespace pith::cli
