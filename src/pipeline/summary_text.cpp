#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/thousands.h"
#include "pipeline/describe_graph.h"
#include "pipeline/outputs.h"

namespace pith {
namespace {

/// Rounds down: a bound must not look better than it is.
std::string percent_floor(double ratio) {
  return fmt::format("{:.1f}%", std::floor(ratio * 1000) / 10);
}

struct Spread {
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::size_t covered = 0;   ///< groups with at least one
  std::size_t possible = 0;  ///< groups that could have one
};

template <class Count>
Spread spread_of(const std::vector<GroupRow>& groups, Count count) {
  Spread spread{.low = -1};
  for (const GroupRow& row : groups) {
    if (row.available == 0) continue;
    const std::int64_t value = count(row);
    ++spread.possible;
    spread.covered += value > 0 ? 1 : 0;
    spread.low = spread.low < 0 ? value : std::min(spread.low, value);
    spread.high = std::max(spread.high, value);
  }
  spread.low = std::max<std::int64_t>(0, spread.low);
  return spread;
}

std::string range(std::int64_t low, std::int64_t high) {
  return low == high ? with_commas(low) : fmt::format("{} to {}", with_commas(low), with_commas(high));
}

std::size_t full_groups(const std::vector<GroupRow>& groups) {
  return static_cast<std::size_t>(std::count_if(groups.begin(), groups.end(), [](const GroupRow& row) {
    return row.available > 0 && row.labelled + row.selected >= row.cap;
  }));
}

void describe_groups(std::string& out, const char* title, const std::vector<GroupRow>& groups, bool active) {
  const Spread chosen = spread_of(groups, [](const GroupRow& row) { return row.selected; });
  const Spread pool = spread_of(groups, [](const GroupRow& row) { return row.available; });
  if (chosen.possible == 0) return;
  out +=
      fmt::format("  {:<13}{} of {} covered, {} each (pool: {})", title, with_commas(chosen.covered),
                  with_commas(chosen.possible), range(chosen.low, chosen.high), range(pool.low, pool.high));
  if (active) out += fmt::format("; {} at their cap", with_commas(full_groups(groups)));
  out += "\n";
}

bool is_automatic(const Selection& s, std::string_view option) {
  return std::find(s.automatic.begin(), s.automatic.end(), option) != s.automatic.end();
}

/// Weights that nobody gave, where they are not the usual ones.
void describe_weights(std::string& out, const Selection& s) {
  const auto& lambda = s.options.objective.lambda.value_or(ObjectiveOptions::usual_lambda);
  if (!s.measured || !s.options.objective.terms.empty() || !is_automatic(s, "lambda")) return;
  if (lambda[0] == ObjectiveOptions::usual_lambda[0]) return;
  const std::string first =
      lambda[0] < 100 ? fmt::format("{:.3g}", lambda[0]) : fmt::format("{:.0f}", lambda[0]);
  out += fmt::format("  {:<13}{}, {:g}, {:g} for uncertainty, diversity, triples: by the budget (--lambda)\n",
                     "weights", first, lambda[1], lambda[2]);
}

void describe_caps(std::string& out, const Selection& s) {
  const auto selected = static_cast<std::int64_t>(s.picks.size());
  const double slack = s.options.balance.class_slack.value_or(1);
  if (s.class_caps_active && slack > 1 && is_automatic(s, "class-slack"))
    out += fmt::format(
        "  {:<13}equal class caps cannot be met, and the budget exceeds what the model is unsure of:\n"
        "  {:<13}loosened {:.3g}-fold (--class-slack)\n",
        "caps", "", slack);
  if (s.relaxed) {
    out += s.feasible_size < s.requested ? fmt::format("  {:<13}as requested they admit {}{} of {}; ", "caps",
                                                       s.feasible_size_exact ? "" : "no more than ",
                                                       with_commas(s.feasible_size), with_commas(s.requested))
                                         : fmt::format("  {:<13}as requested the greedy ended short of {}; ",
                                                       "caps", with_commas(s.requested));
    if (s.class_level > 0) out += fmt::format("class caps raised to {}", with_commas(s.class_level));
    if (s.boundary_factor > 1)
      out +=
          fmt::format("{}boundary caps raised {:.4g}-fold", s.class_level > 0 ? ", " : "", s.boundary_factor);
    out += "\n";
  }
  if (selected < s.requested)
    out +=
        fmt::format("  {:<13}{} fewer than asked for: {}\n", "short", with_commas(s.requested - selected),
                    s.feasible_size_exact ? "the caps admit no more"
                                          : "nothing more fits these; whether other picks had left room is "
                                            "not decided");
  if (s.augmented > 0)
    out += fmt::format("  {:<13}{} picks by augmenting paths after the greedy, marked in selection.csv\n",
                       "augmented", with_commas(s.augmented));
}

/// What an optimizer gives up, in a line; empty for the exact ones.
std::string price_of(const Selection& s) {
  const GreedyOptions& greedy = s.options.greedy;
  const bool caps = s.balance != BalanceKind::none;
  if (greedy.optimizer == Optimizer::stochastic)
    return fmt::format("stochastic: {}", caps ? "under caps without a guarantee of its own"
                                              : fmt::format("on average 1 - 1/e - {:g} of the best f",
                                                            greedy.stochastic_epsilon));
  if (greedy.optimizer == Optimizer::threshold)
    return fmt::format("threshold: every pick within {:g} of the best gain of its time",
                       greedy.threshold_epsilon);
  return "";
}

/// The sterner figure beside the ratio. Below 0 the picks fall short even of what all sets have in common.
std::string without_constant(const Certificate& certificate) {
  if (!certificate.ratio_without_constant) return "";
  const double ratio = *certificate.ratio_without_constant;
  return fmt::format(" ({} without its constant part)", ratio < 0 ? "nothing" : percent_floor(ratio));
}

std::string quality_of(const Certificate& certificate) {
  if (certificate.upper_bound == 0) return "nothing to tell sets apart by: f is 0 for all of them";
  return fmt::format("at least {} of the best possible f{}", percent_floor(certificate.ratio),
                     without_constant(certificate));
}

/// What may be wrong with the files though they can be chosen from.
void warn_of_inputs(std::string& out, const std::vector<InputNote>& inputs) {
  for (const InputNote& input : inputs)
    if (input.zero_rows > 0)
      out += fmt::format("  {:<13}{} in {} (first: row {})  ! a zero vector is like nothing else\n",
                         "zero rows", with_commas(input.zero_rows), input.path, input.first_zero_row);
}

}  // namespace

std::string summary_text(const Selection& s, const RunNotes& notes) {
  double seconds = 0;
  for (const auto& [stage, time] : s.seconds) seconds += time;
  std::string out = fmt::format("Chose {} of {} items with {} in {:.2f} s\n", with_commas(s.picks.size()),
                                with_commas(s.items), s.options.strategy, seconds);
  if (s.measured) out += fmt::format("  {:<13}{}\n", "quality", quality_of(s.certificate));
  if (s.options.cost_budget)
    out += fmt::format("  {:<13}{:g} of {:g} spent\n", "cost", s.cost, *s.options.cost_budget);
  if (const std::string price = price_of(s); !price.empty())
    out += fmt::format("  {:<13}{}\n", "optimizer", price);
  describe_groups(out, "classes", s.class_groups, s.class_caps_active);
  describe_groups(out, "boundaries", s.boundaries, s.boundary_caps_active);
  describe_caps(out, s);
  describe_weights(out, s);
  out += fmt::format("  {:<13}mean {:.3f} of the picks, {:.3f} of all items\n", "uncertainty",
                     s.mean_uncertainty, s.mean_uncertainty_of_all);
  if (s.measured) {
    out += fmt::format("  {:<13}{} of {} items are a pick or have one among their neighbours\n",
                       "represented", with_commas(s.represented), with_commas(s.items));
    out +=
        fmt::format("  {:<13}{} neighbours each, {}\n", "graph", s.graph.neighbors, describe_search(s.graph));
  }
  warn_of_inputs(out, notes.inputs);
  for (const UnusedOption& option : notes.unused)
    out += fmt::format("  {:<13}--{}: {}\n", "not used", option.name, option.because);
  return out;
}

}  // namespace pith
