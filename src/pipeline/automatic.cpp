#include "pipeline/automatic.h"

#include <algorithm>

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

}  // namespace

double diversity_left(double uncertainty, double share) {
  const double ratio = std::min(1.0, uncertainty / share);
  const double square = ratio * ratio;
  return std::max(0.01, square * square * square * square);
}

double loosened_class_caps(double uncertainty, double share) {
  const double over = share / std::max(uncertainty, 0.01 * share);
  return std::max(1.0, 8 * (over - 1));
}

void settle_automatic(SelectOptions& options, const SelectInput& input, const Pool& pool) {
  ObjectiveOptions& objective = options.objective;
  if (objective.lambda && objective.gamma && options.balance.class_slack) return;
  const double uncertainty = mean_uncertainty(input, pool);
  const double share = chosen_share(input, options, pool);
  const double left = diversity_left(uncertainty, share);
  if (!objective.lambda) {
    objective.lambda = ObjectiveOptions::automatic_lambda;
    (*objective.lambda)[0] /= left;
    if (find_strategy(options.strategy).drops_triples) (*objective.lambda)[2] = 0;
  }
  if (!objective.gamma) objective.gamma = left;
  if (!options.balance.class_slack) options.balance.class_slack = loosened_class_caps(uncertainty, share);
}

}  // namespace pith
