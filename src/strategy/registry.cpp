#include "strategy/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/suggest.h"
#include "pith/error.h"
#include "strategy/augment.h"
#include "strategy/optimizers.h"

namespace pith {

const std::vector<Strategy>& strategies() {
  static const std::vector<Strategy> all = {
      {.name = "submod-bal",
       .summary = "uncertain and diverse, within class and boundary caps (the paper's method)",
       .default_balance = BalanceKind::both,
       .needs_objective = true,
       .ranks_by = {},
       .choose = choose_by_objective},
      {.name = "submod",
       .summary = "uncertain and diverse, without triples and without caps",
       .needs_objective = true,
       .ranks_by = {},
       .drops_triples = true,
       .choose = choose_by_objective},
      {.name = "facility-location",
       .summary = "each item as similar as can be to its nearest pick",
       .needs_objective = true,
       .ranks_by = {},
       .only_term = "facility-location",
       .choose = choose_by_objective},
      {.name = "graph-cut",
       .summary = "similar to all items, not to each other",
       .needs_objective = true,
       .ranks_by = {},
       .only_term = "graph-cut",
       .choose = choose_by_objective},
      {.name = "k-center",
       .summary = "each next item the farthest from all chosen ones",
       .needs_embeddings = true,
       .ranks_by = {},
       .choose = choose_k_center},
      {.name = "margin",
       .summary = "smallest gap between the best two classes first",
       .ranks_by = UncertaintyKind::margin,
       .choose = choose_uncertain},
      {.name = "entropy",
       .summary = "largest entropy of the class probabilities first",
       .ranks_by = UncertaintyKind::entropy,
       .choose = choose_uncertain},
      {.name = "least-confidence",
       .summary = "smallest best probability first",
       .ranks_by = UncertaintyKind::least_confidence,
       .choose = choose_uncertain},
      {.name = "stratified",
       .summary = "random within the class caps",
       .default_balance = BalanceKind::class_only,
       .uses_seed = true,
       .ranks_by = {},
       .choose = choose_random},
      {.name = "random",
       .summary = "every subset equally likely",
       .uses_seed = true,
       .ranks_by = {},
       .choose = choose_random},
  };
  return all;
}

const Strategy& find_strategy(std::string_view name) {
  const auto& all = strategies();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Strategy& s) { return s.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  names.reserve(all.size());
  for (const Strategy& strategy : all) names.push_back(strategy.name);
  const std::string nearest = nearest_word(name, names);
  throw Error(ErrorKind::bad_option,
              fmt::format("--strategy: unknown strategy '{}'{}; known: {}", name,
                          nearest.empty() ? "" : fmt::format(", did you mean '{}'?", nearest),
                          fmt::join(names, ", ")));
}

std::vector<Pick> choose_greedily(Oracle& oracle, const StrategyInput& input, std::vector<Pick> start) {
  const GreedyTask task{.oracle = oracle,
                        .balance = input.balance,
                        .pool = input.pool,
                        .budget = input.budget,
                        .run = input.run};
  std::vector<Pick> picks = start.empty() ? run_optimizer(task, input.greedy, input.seed)
                                          : run_greedy(oracle, input.balance, input.pool, input.budget,
                                                       input.run, std::move(start));
  augment(picks, oracle, input.balance, input.pool, input.budget, input.run);
  return picks;
}

}  // namespace pith
