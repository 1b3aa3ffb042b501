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
       .follows_budget = true,
       .own_bytes = memory_of_objective,
       .choose = choose_by_objective},
      {.name = "submod",
       .summary = "uncertain and diverse, without triples and without caps",
       .needs_objective = true,
       .ranks_by = {},
       .drops_triples = true,
       .own_bytes = memory_of_objective,
       .choose = choose_by_objective},
      {.name = "facility-location",
       .summary = "each item as similar as can be to its nearest pick",
       .needs_objective = true,
       .ranks_by = {},
       .only_term = "facility-location",
       .own_bytes = memory_of_objective,
       .choose = choose_by_objective},
      {.name = "graph-cut",
       .summary = "similar to all items, not to each other",
       .needs_objective = true,
       .ranks_by = {},
       .only_term = "graph-cut",
       .own_bytes = memory_of_objective,
       .choose = choose_by_objective},
      {.name = "k-center",
       .summary = "each next item the farthest from all chosen ones",
       .needs_embeddings = true,
       .ranks_by = {},
       .own_bytes = memory_of_centers,
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
      {.name = "bald",
       .summary = "what several models' probabilities tell most about the models",
       .needs_models = 2,
       .ranks_by = {},
       .choose = choose_bald},
      {.name = "committee",
       .summary = "where several models disagree most, by votes or by divergence",
       .needs_models = 2,
       .ranks_by = {},
       .choose = choose_by_committee},
      {.name = "badge",
       .summary = "k-means++ on the gradients of the last layer: uncertain and diverse",
       .needs_embeddings = true,
       .needs_models = 1,
       .uses_seed = true,
       .ranks_by = {},
       .own_bytes = memory_of_badge,
       .choose = choose_badge},
      {.name = "cluster-margin",
       .summary = "the most uncertain items, clusters of them taking turns",
       .needs_objective = true,
       .uses_seed = true,
       .ranks_by = UncertaintyKind::margin,
       .own_bytes = memory_of_merging,
       .choose = choose_cluster_margin},
      {.name = "gist",
       .summary = "f among items as far apart as pays: the better of many distances",
       .needs_objective = true,
       .needs_embeddings = true,
       .ranks_by = {},
       .drops_triples = true,
       .own_bytes = memory_of_gist,
       .choose = choose_gist},
      {.name = "dpp",
       .summary = "uncertain and diverse: the largest determinant, greedily",
       .needs_objective = true,
       .needs_embeddings = true,
       .ranks_by = {},
       .own_bytes = memory_of_dpp,
       .choose = choose_dpp},
      {.name = "k-medoids",
       .summary = "every item near a pick: exchanges until none helps, on the graph",
       .needs_objective = true,
       .ranks_by = {},
       .own_bytes = memory_of_medoids,
       .choose = choose_k_medoids},
      {.name = "mmd",
       .summary = "prototypes: the picks' distribution near that of all, by a kernel",
       .needs_embeddings = true,
       .ranks_by = {},
       .own_bytes = memory_of_mmd,
       .choose = choose_mmd},
      {.name = "herding",
       .summary = "keeps the mean of the picks near the mean of all",
       .needs_embeddings = true,
       .ranks_by = {},
       .own_bytes = memory_of_rows,
       .choose = choose_herding},
      {.name = "typiclust",
       .summary = "the most typical item of every cluster",
       .needs_objective = true,
       .needs_embeddings = true,
       .ranks_by = {},
       .own_bytes = memory_of_typiclust,
       .choose = choose_typiclust},
      {.name = "prob-cover",
       .summary = "balls around the picks cover as many items as can be",
       .needs_objective = true,
       .uses_seed = true,
       .ranks_by = {},
       .own_bytes = memory_of_cover,
       .choose = choose_prob_cover},
      {.name = "agglomerative",
       .summary = "clusters merged until as many as picks, one of each",
       .needs_objective = true,
       .ranks_by = {},
       .own_bytes = memory_of_merging,
       .choose = choose_agglomerative},
      {.name = "max-min",
       .summary = "largest smallest distance between two picks",
       .needs_embeddings = true,
       .ranks_by = {},
       .own_bytes = memory_of_centers,
       .choose = choose_max_min},
      {.name = "max-sum",
       .summary = "largest sum of distances between picks",
       .needs_embeddings = true,
       .ranks_by = {},
       .own_bytes = memory_of_rows,
       .choose = choose_max_sum},
      {.name = "dedup",
       .summary = "by uncertainty, without near duplicates of what is taken",
       .needs_objective = true,
       .needs_embeddings = true,
       .ranks_by = {},
       .own_bytes = memory_of_centers,
       .choose = choose_deduplicated},
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

bool Strategy::maximises_objective() const noexcept {
  return choose == choose_by_objective;
}

const Strategy& find_strategy(std::string_view name, std::string_view option) {
  const auto& all = strategies();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Strategy& s) { return s.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  names.reserve(all.size());
  for (const Strategy& strategy : all) names.push_back(strategy.name);
  const std::string nearest = nearest_word(name, names);
  throw Error(ErrorKind::bad_option,
              fmt::format("--{}: unknown strategy '{}'{}; known: {}", option, name,
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
