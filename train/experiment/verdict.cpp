#include "experiment/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace pith::train {
namespace {

/// Accuracies in percent by trial, of one budget and variant.
using Trials = std::map<std::uint64_t, double>;
using Grid = std::map<std::pair<std::string, std::string>, Trials>;

std::vector<double> values_of(const Trials& trials) {
  std::vector<double> out;
  for (const auto& [trial, accuracy] : trials) out.push_back(accuracy);
  return out;
}

/// Differences over the trials that both have.
std::vector<double> paired_differences(const Trials& ours, const Trials& control) {
  std::vector<double> out;
  for (const auto& [trial, accuracy] : ours)
    if (const auto found = control.find(trial); found != control.end())
      out.push_back(accuracy - found->second);
  return out;
}

void note_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

bool is_full(const CellResult& result) {
  return result.key.variant == full_name;
}

void find_budgets_and_variants(Verdict& verdict, const std::vector<CellResult>& results) {
  std::map<std::string, std::uint64_t> items;
  for (const CellResult& result : results) {
    if (is_full(result)) continue;
    note_once(verdict.variants, result.key.variant);
    note_once(verdict.budgets, result.key.budget);
    std::uint64_t& most = items[result.key.budget];
    most = std::max(most, result.items);
  }
  std::stable_sort(verdict.budgets.begin(), verdict.budgets.end(),
                   [&](const std::string& a, const std::string& b) { return items[a] < items[b]; });
  for (const char* control : control_names)
    if (std::find(verdict.variants.begin(), verdict.variants.end(), control) != verdict.variants.end())
      verdict.controls.emplace_back(control);
}

void find_sufficient(Verdict& verdict) {
  if (!verdict.all_data || verdict.all_data->count < 2) return;
  for (const std::string& variant : verdict.variants)
    for (const std::string& budget : verdict.budgets) {
      const Entry* entry = verdict.find(budget, variant);
      if (entry == nullptr || entry->accuracy.mean < verdict.all_data->low) continue;
      verdict.sufficient.push_back({.variant = variant, .budget = budget, .accuracy = entry->accuracy.mean});
      break;
    }
}

std::string interval(const Estimate& gain) {
  return fmt::format("{:+.1f} ({:+.1f} to {:+.1f})", gain.mean, gain.low, gain.high);
}

/// "submod-bal by +17.3 (+15.1 to +19.5)", of those for which the test holds.
template <class Holds>
std::vector<std::string> list(const Verdict& verdict, const std::string& budget, const std::string& control,
                              Holds holds) {
  std::vector<const Comparison*> found;
  for (const Comparison& comparison : verdict.comparisons)
    if (comparison.budget == budget && comparison.control == control && holds(comparison))
      found.push_back(&comparison);
  std::stable_sort(found.begin(), found.end(),
                   [](const Comparison* a, const Comparison* b) { return a->gain.mean > b->gain.mean; });
  std::vector<std::string> out;
  out.reserve(found.size());
  for (const Comparison* comparison : found)
    out.push_back(fmt::format("{} by {}", comparison->variant, interval(comparison->gain)));
  return out;
}

std::string against_control(const Verdict& verdict, const std::string& budget, const std::string& control) {
  std::size_t compared = 0;
  std::size_t measured = 0;
  for (const Comparison& comparison : verdict.comparisons)
    if (comparison.budget == budget && comparison.control == control) {
      ++compared;
      measured += comparison.gain.count >= 2 ? 1 : 0;
    }
  if (compared == 0) return fmt::format("  {:>6}  nothing to compare with {} yet\n", budget, control);
  if (measured == 0)
    return fmt::format("  {:>6}  one trial says nothing about chance; run at least 2 to compare with {}\n",
                       budget, control);
  const auto better = list(verdict, budget, control, [](const Comparison& c) { return c.beats(); });
  const auto worse = list(verdict, budget, control, [](const Comparison& c) { return c.loses(); });
  std::string text = better.empty()
                         ? fmt::format("  {:>6}  no strategy beats {}", budget, control)
                         : fmt::format("  {:>6}  beat {}: {}", budget, control, fmt::join(better, ", "));
  if (!worse.empty()) text += fmt::format("; worse than it: {}", fmt::join(worse, ", "));
  return text + "\n";
}

/// Among many comparisons some come out well by chance alone, and the reader should know how many.
std::string chance_note(const Verdict& verdict) {
  std::size_t measured = 0;
  for (const Comparison& comparison : verdict.comparisons) measured += comparison.gain.count >= 2 ? 1 : 0;
  if (measured == 0) return "";
  return fmt::format(
      "Each interval stands alone: of {} comparisons without any true difference, about {:.1f} would "
      "look like a gain by chance.\n",
      measured, 0.025 * static_cast<double>(measured));
}

std::string sufficient_text(const Verdict& verdict) {
  if (!verdict.all_data)
    return "Training on all data was left out, so how small a subset suffices is not known.\n";
  const Estimate& all = *verdict.all_data;
  if (all.count < 2)
    return fmt::format("All data give {:.1f}% in one trial; an interval to reach needs at least 2 trials.\n",
                       all.mean);
  std::string text = fmt::format("All data give {:.1f}% ({:.1f} to {:.1f}). ", all.mean, all.low, all.high);
  if (verdict.sufficient.empty()) return text + "No subset tried reaches that interval.\n";
  text += "Smallest subsets that reach the interval:";
  for (std::size_t at = 0; at < verdict.sufficient.size(); ++at) {
    const Sufficient& one = verdict.sufficient[at];
    text += fmt::format("{} {} at {} ({:.1f}%)", at == 0 ? "" : ",", one.variant, one.budget, one.accuracy);
  }
  return text + ".\n";
}

}  // namespace

const Entry* Verdict::find(const std::string& budget, const std::string& variant) const {
  for (const Entry& entry : entries)
    if (entry.budget == budget && entry.variant == variant) return &entry;
  return nullptr;
}

Verdict judge(const std::vector<CellResult>& results, double confidence) {
  Verdict verdict;
  verdict.cells = results.size();
  verdict.astray = static_cast<std::size_t>(std::count_if(
      results.begin(), results.end(), [](const CellResult& result) { return result.went_astray(); }));
  find_budgets_and_variants(verdict, results);
  Grid grid;
  Trials all_data;
  for (const CellResult& result : results)
    (is_full(result) ? all_data : grid[{result.key.budget, result.key.variant}])[result.key.trial] =
        100 * result.accuracy;
  if (!all_data.empty()) verdict.all_data = estimate(values_of(all_data), confidence);
  for (const std::string& budget : verdict.budgets)
    for (const std::string& variant : verdict.variants) {
      const auto found = grid.find({budget, variant});
      if (found == grid.end()) continue;
      verdict.entries.push_back({budget, variant, estimate(values_of(found->second), confidence)});
      for (const std::string& control : verdict.controls) {
        if (control == variant || !grid.contains({budget, control})) continue;
        const std::vector<double> differences = paired_differences(found->second, grid.at({budget, control}));
        if (differences.empty()) continue;
        verdict.comparisons.push_back({budget, variant, control, estimate(differences, confidence)});
      }
    }
  find_sufficient(verdict);
  return verdict;
}

std::string table_text(const Verdict& verdict) {
  constexpr std::string_view title = "accuracy in %";
  std::size_t width = title.size();
  for (const std::string& variant : verdict.variants) width = std::max(width, variant.size());
  std::string text = fmt::format("{:<{}}", title, width + 2);
  for (const std::string& budget : verdict.budgets) text += fmt::format("{:>19}", budget);
  text += '\n';
  const auto cell = [](const Estimate& accuracy) {
    return accuracy.count < 2
               ? fmt::format("{:.2f}       ({})", accuracy.mean, accuracy.count)
               : fmt::format("{:.2f} ±{:5.2f} ({})", accuracy.mean, accuracy.deviation, accuracy.count);
  };
  for (const std::string& variant : verdict.variants) {
    text += fmt::format("{:<{}}", variant, width + 2);
    for (const std::string& budget : verdict.budgets) {
      const Entry* entry = verdict.find(budget, variant);
      text += fmt::format("{:>19}", entry == nullptr ? "-" : cell(entry->accuracy));
    }
    text += '\n';
  }
  if (verdict.all_data) text += fmt::format("{:<{}}{:>19}\n", full_name, width + 2, cell(*verdict.all_data));
  return text + "(mean ± deviation of one trial, number of trials)\n";
}

std::string verdict_text(const Verdict& verdict) {
  if (verdict.entries.empty()) return "No cell is finished yet: nothing to judge.\n";
  std::string text = "Verdict: gains in points with 95% intervals (Student's t) over trials paired by seed\n";
  for (const char* control : control_names)
    if (std::find(verdict.controls.begin(), verdict.controls.end(), control) == verdict.controls.end())
      text += fmt::format("  {} was not run, so nothing is said about it\n", control);
  bool any = false;
  bool measured = false;
  for (const std::string& control : verdict.controls)
    for (const std::string& budget : verdict.budgets) text += against_control(verdict, budget, control);
  for (const Comparison& comparison : verdict.comparisons) {
    any = any || comparison.beats();
    measured = measured || comparison.gain.count >= 2;
  }
  if (measured && !any) text += "On this data no strategy is shown to beat its control at any budget.\n";
  if (verdict.astray > 0)
    text += fmt::format(
        "{} of {} trainings went astray: their loss was no number, and what they gave counts above. Lower "
        "--rate, and start another --out.\n",
        verdict.astray, verdict.cells);
  return text + chance_note(verdict) + sufficient_text(verdict);
}

}  // namespace pith::train
