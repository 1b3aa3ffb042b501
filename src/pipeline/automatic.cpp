#include "pipeline/automatic.h"

#include <algorithm>
#include <cmath>

#include "constraint/caps.h"
#include "pipeline/check_input.h"
#include "strategy/registry.h"

namespace pith {
namespace {

/// (k + |A|) / n; with costs, the part of the candidates' cost that may be spent.
double chosen_share(const SelectInput& input, const SelectOptions& options, const Pool& pool) {
  if (options.cost_budget) {
    double all = 0;
    for (std::size_t item = 0; item < pool.state.size(); ++item)
      if (pool.state[item] == Pool::State::candidate) all += input.costs[item];
    return std::min(1.0, *options.cost_budget / all);
  }
  const auto labelled = static_cast<double>(pool.labelled.size());
  return (static_cast<double>(checked_budget(options, pool)) + labelled) /
         (static_cast<double>(pool.candidates()) + labelled);
}

double mean_uncertainty(const SelectInput& input, const Pool& pool) {
  double sum = 0;
  std::size_t items = 0;
  for (std::size_t item = 0; item < pool.state.size(); ++item) {
    if (pool.state[item] == Pool::State::excluded) continue;
    sum += input.predictions.uncertainty()[item];
    ++items;
  }
  return sum / static_cast<double>(items);
}

/// That share as a count, A included: the budget itself, unless that is of costs.
std::int64_t chosen_count(const Pool& pool, double share) {
  const auto items = static_cast<double>(pool.candidates()) + static_cast<double>(pool.labelled.size());
  return std::llround(share * items);
}

/// Whether classes are too uneven for an equal share of each.
bool equal_classes_fall_short(const SelectInput& input, const Pool& pool, std::int64_t chosen) {
  std::vector<std::int64_t> sizes(input.predictions.classes, 0);
  for (std::size_t item = 0; item < pool.state.size(); ++item)
    if (pool.state[item] == Pool::State::candidate) ++sizes[input.predictions.best[item]];
  for (std::size_t at = 0; at < pool.labelled.size(); ++at) {
    const std::uint32_t given = pool.labelled_class[at];
    const std::uint32_t its = given == no_group ? input.predictions.best[pool.labelled[at]] : given;
    if (its < sizes.size()) ++sizes[its];  // else make_balance() refuses it
  }
  return water_level(sizes, chosen) > ceil_of_share(chosen, 1, static_cast<std::int64_t>(sizes.size()));
}

bool may_loosen_classes(const BalanceOptions& balance) {
  return balance.shortfall == Shortfall::relax && std::holds_alternative<UniformCap>(balance.class_cap);
}

}  // namespace

double uncertainty_share(double uncertainty, double share, bool uneven) {
  const double over = share / std::max(uncertainty, 0.01 * share);
  const double square = over * over;
  return std::min(1e4, uneven ? std::max(square, square * square * square) : square);
}

double diversity_left(double uncertainty, double share) {
  const double ratio = std::min(1.0, uncertainty / share);
  const double square = ratio * ratio;
  return std::max(0.01, square * square * square);
}

double loosened_class_caps(double uncertainty, double share) {
  const double over = share / std::max(uncertainty, 0.01 * share);
  return std::max(1.0, 8 * (over - 1));
}

std::vector<std::string> settle_automatic(SelectOptions& options, const SelectInput& input,
                                          const Pool& pool) {
  ObjectiveOptions& objective = options.objective;
  std::optional<double>& slack = options.balance.class_slack;
  std::vector<std::string> filled;
  const bool settle_lambda = !objective.lambda && objective.terms.empty();
  if (!settle_lambda && objective.gamma && slack) return filled;
  const Strategy& strategy = find_strategy(options.strategy);
  const double uncertainty = mean_uncertainty(input, pool);
  const double share = chosen_share(input, options, pool);
  const bool uneven =
      strategy.follows_budget && equal_classes_fall_short(input, pool, chosen_count(pool, share));
  if (settle_lambda) {
    filled.emplace_back("lambda");
    objective.lambda = ObjectiveOptions::usual_lambda;
    if (strategy.follows_budget) (*objective.lambda)[0] *= uncertainty_share(uncertainty, share, uneven);
    if (strategy.drops_triples) (*objective.lambda)[2] = 0;
  }
  if (!objective.gamma) {
    filled.emplace_back("gamma");
    objective.gamma = diversity_left(uncertainty, share);
  }
  if (!slack) {
    filled.emplace_back("class-slack");
    const bool loosen = uneven && !options.cost_budget && may_loosen_classes(options.balance);
    slack = loosen ? loosened_class_caps(uncertainty, share) : 1.0;
  }
  return filled;
}

}  // namespace pith
