#include <cmath>
#include <map>

#include "experiment/results.h"
#include "experiment/verdict.h"
#include "report/sections.h"

namespace pith {
namespace {

/// Where the mean lies; infinite ends of a single trial are null.
PageJson estimate_json(const train::Estimate& estimate) {
  const auto number = [](double value) { return std::isfinite(value) ? PageJson(value) : PageJson(); };
  return {{"count", estimate.count},
          {"mean", estimate.mean},
          {"deviation", estimate.deviation},
          {"low", number(estimate.low)},
          {"high", number(estimate.high)}};
}

}  // namespace

PageJson experiment_section(const std::string& folder) {
  const std::vector<train::CellResult> results = train::read_results(folder);
  if (results.empty()) return nullptr;
  const train::Verdict verdict = train::judge(results);
  std::map<std::string, std::uint64_t> items;
  for (const train::CellResult& result : results)
    if (result.key.variant != train::full_name) items[result.key.budget] = result.items;
  PageJson out;
  out["budgets"] = PageJson::array();
  for (const std::string& budget : verdict.budgets) {
    const auto found = items.find(budget);
    out["budgets"].push_back({{"name", budget}, {"items", found == items.end() ? 0 : found->second}});
  }
  out["variants"] = verdict.variants;
  out["controls"] = verdict.controls;
  out["entries"] = PageJson::array();
  for (const train::Entry& entry : verdict.entries) {
    PageJson json = estimate_json(entry.accuracy);
    json["budget"] = entry.budget;
    json["variant"] = entry.variant;
    out["entries"].push_back(std::move(json));
  }
  out["gains"] = PageJson::array();
  for (const train::Comparison& comparison : verdict.comparisons) {
    PageJson json = estimate_json(comparison.gain);
    json["budget"] = comparison.budget;
    json["variant"] = comparison.variant;
    json["control"] = comparison.control;
    out["gains"].push_back(std::move(json));
  }
  out["all_data"] = verdict.all_data ? estimate_json(*verdict.all_data) : PageJson();
  out["verdict"] = train::verdict_text(verdict);
  return out;
}

}  // namespace pith
