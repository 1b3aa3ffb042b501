#include "pith/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pith {
namespace {

void require(std::vector<std::string>& problems, bool holds, const std::string& problem) {
  if (!holds) problems.push_back(problem);
}

void append(std::vector<std::string>& problems, std::vector<std::string> more) {
  problems.insert(problems.end(), more.begin(), more.end());
}

/// A weight that keeps f of any set of items finite.
constexpr double largest_weight = 1e100;
/// One that keeps the qualities of a determinant finite and above 0.
constexpr double largest_quality = 100;

// Written so that NaN fails.
bool in_unit(double x) {
  return x >= 0 && x <= 1;
}
bool at_least(double x, double low) {
  return x >= low && std::isfinite(x);
}

}  // namespace

std::vector<std::string> GraphOptions::check() const {
  std::vector<std::string> problems;
  require(problems, !neighbors || *neighbors >= 1,
          "--neighbors: 0 given; a graph needs at least 1 neighbour");
  require(problems, recall > 0 && recall <= 1,
          fmt::format("--recall: {} given; it must lie above 0 and be at most 1", recall));
  require(problems, !memory_bytes || *memory_bytes >= least_memory_bytes,
          fmt::format("--memory: {} bytes given; a graph takes at least 64M, so give more or leave it out",
                      memory_bytes.value_or(0)));
  return problems;
}

std::vector<std::string> ObjectiveOptions::check() const {
  std::vector<std::string> problems;
  for (const double weight : lambda.value_or(usual_lambda))
    require(problems, at_least(weight, 0) && weight <= largest_weight,
            fmt::format("--lambda: {} given; each weight must be a number of at least 0 and at most {:g}",
                        weight, largest_weight));
  for (std::size_t at = 0; at < terms.size(); ++at) {
    const TermWeight& term = terms[at];
    require(problems, at_least(term.weight, 0) && term.weight <= largest_weight,
            fmt::format("--term: {}={} given; a weight must be a number of at least 0 and at most {:g}",
                        term.name, term.weight, largest_weight));
    require(problems,
            std::none_of(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(at),
                         [&](const TermWeight& earlier) { return earlier.name == term.name; }),
            fmt::format("--term: {} given twice; add the weights up", term.name));
  }
  require(problems, graph_cut_lambda >= 0 && graph_cut_lambda <= 0.5,
          fmt::format("--graph-cut-lambda: {} given; it must lie in [0,0.5], or f is no longer monotone",
                      graph_cut_lambda));
  require(
      problems, !gamma || in_unit(*gamma),
      fmt::format("--gamma: {} given; it must lie in [0,1], or f is no longer monotone", gamma.value_or(0)));
  require(problems, in_unit(eta),
          fmt::format("--eta: {} given; it must lie in [0,1], or f is no longer monotone", eta));
  require(problems, !area_threshold || at_least(*area_threshold, 0),
          fmt::format("--area-threshold: {} given; it must be at least 0", area_threshold.value_or(0)));
  require(problems, clique_size == 3 || clique_size == 4,
          fmt::format("--clique-size: {} given; choose 3 or 4", clique_size));
  require(problems, clique_size == 3 || !area_threshold,
          "--area-threshold: cliques of four have volumes, not areas; use --area-quantile");
  require(problems, clique_size == 3 || areas == Areas::graph,
          "--areas: cliques of four have volumes, not areas; leave it out");
  require(problems, in_unit(area_quantile),
          fmt::format("--area-quantile: {} given; it must lie in [0,1]", area_quantile));
  return problems;
}

std::vector<std::string> BalanceOptions::check() const {
  std::vector<std::string> problems;
  require(problems, in_unit(tau), fmt::format("--tau: {} given; it must lie in [0,1]", tau));
  require(problems, boundaries_per_item >= 1 && boundaries_per_item <= 16,
          fmt::format("--boundaries-per-item: {} given; choose 1 to 16", boundaries_per_item));
  require(problems, !class_slack || at_least(*class_slack, 1),
          fmt::format("--class-slack: {} given; it must be at least 1", class_slack.value_or(1)));
  require(problems, at_least(boundary_slack, 1),
          fmt::format("--boundary-slack: {} given; it must be at least 1", boundary_slack));
  if (const auto* fixed = std::get_if<FixedCap>(&class_cap))
    require(problems, fixed->cap >= 1,
            fmt::format("--class-cap: {} given; a cap for all classes must be at least 1", fixed->cap));
  if (const auto* fixed = std::get_if<FixedCap>(&boundary_cap))
    require(problems, fixed->cap >= 1,
            fmt::format("--boundary-cap: {} given; a cap for all boundaries must be at least 1", fixed->cap));
  return problems;
}

std::vector<std::string> StrategyOptions::check() const {
  std::vector<std::string> problems;
  require(problems, in_unit(similarity),
          fmt::format("--similarity: {} given; it must lie in [0,1]", similarity));
  require(problems, at_least(spread, 0) && spread <= largest_weight,
          fmt::format("--spread: {} given; it must be a number of at least 0 and at most {:g}", spread,
                      largest_weight));
  require(problems, at_least(quality, 0) && quality <= largest_quality,
          fmt::format("--quality: {} given; it must be a number of at least 0 and at most {:g}", quality,
                      largest_quality));
  require(problems, !radius || at_least(*radius, 0),
          fmt::format("--radius: {} given; it must be at least 0", radius.value_or(0)));
  return problems;
}

std::vector<std::string> GreedyOptions::check() const {
  std::vector<std::string> problems;
  const auto open_unit = [](double x) { return x > 0 && x < 1; };
  require(problems, open_unit(stochastic_epsilon),
          fmt::format("--stochastic-epsilon: {} given; it must lie between 0 and 1", stochastic_epsilon));
  require(
      problems, open_unit(threshold_epsilon) && threshold_epsilon >= 1e-6,
      fmt::format("--threshold-epsilon: {} given; it must be at least 1e-06 and below 1", threshold_epsilon));
  return problems;
}

std::int64_t Budget::count_of(std::size_t n) const {
  if (const auto* count = std::get_if<std::int64_t>(&amount)) return *count;
  const double share = std::get<double>(amount);
  return std::max<std::int64_t>(1, std::llround(share * static_cast<double>(n)));
}

std::vector<std::string> SelectOptions::check() const {
  std::vector<std::string> problems;
  if (const auto* count = std::get_if<std::int64_t>(&budget.amount)) {
    require(problems, *count >= 1,
            fmt::format("--budget: {} given; ask for at least 1 item, or for a share such as 10%", *count));
  } else {
    const double share = std::get<double>(budget.amount);
    require(problems, share > 0 && share <= 1,
            fmt::format("--budget: {:g}% given; a share must be above 0% and at most 100%", share * 100));
  }
  require(problems, !cost_budget || (*cost_budget > 0 && std::isfinite(*cost_budget)),
          fmt::format("--budget-cost: {} given; it must be a number above 0", cost_budget.value_or(0)));
  append(problems, graph.check());
  append(problems, objective.check());
  append(problems, greedy.check());
  append(problems, balance.check());
  append(problems, special.check());
  return problems;
}

SelectOptions paper_preset() {
  SelectOptions options;
  options.objective.lambda = ObjectiveOptions::usual_lambda;
  options.balance.class_slack = 1;
  options.balance.boundary_cap = ProportionalCap{};
  options.objective.triple_scale = TripleScale::none;
  return options;
}

}  // namespace pith
