#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/balance.h"
#include "objective/objective.h"
#include "pith/graph.h"
#include "pith/options.h"
#include "pith/predictions.h"
#include "strategy/greedy.h"
#include "strategy/own_memory.h"

namespace pith {

/// Everything a strategy may look at. Pointers are set where the strategy said it needs them.
struct StrategyInput {
  const Matrix* embeddings = nullptr;
  const Graph* graph = nullptr;
  const Objective* objective = nullptr;
  const Predictions& predictions;
  const ClassProbabilities& probabilities;
  const Balance& balance;
  const Pool& pool;
  std::int64_t budget = 0;
  std::uint64_t seed = 0;
  Metric metric = Metric::cosine;
  const StrategyOptions& special;
  GreedyOptions greedy = {};
  std::span<const double> costs = {};  ///< empty: every item costs the same, and the budget counts items
  double cost_budget = 0;
  const Run& run;
};

struct Strategy {
  std::string_view name;
  std::string_view summary;
  BalanceKind default_balance = BalanceKind::none;
  bool needs_objective = false;  ///< and with it the graph
  bool needs_embeddings = false;
  std::size_t needs_models = 0;  ///< class probabilities by at least so many models
  bool uses_seed = false;
  /// Which kind of uncertainty it ranks by, where that is its nature.
  std::optional<UncertaintyKind> ranks_by;
  bool drops_triples = false;   ///< its objective has no triple term, unless the terms are listed
  bool follows_budget = false;  ///< weights and class caps that are not given depend on the budget
  /// The one term its objective has, or empty: whatever the options say.
  std::string_view only_term = {};
  /// Bytes it holds of its own while it chooses.
  double (*own_bytes)(const StrategySize& size) = memory_of_greedy;
  std::vector<Pick> (*choose)(const StrategyInput& input) = nullptr;

  /// Whether it is the greedy on f itself, which optimizers and costs are made for.
  [[nodiscard]] bool maximises_objective() const noexcept;
};

/// All strategies, in the order they are shown.
[[nodiscard]] const std::vector<Strategy>& strategies();

/// By name; an unknown one is a bad `option` whose message suggests the nearest.
[[nodiscard]] const Strategy& find_strategy(std::string_view name, std::string_view option = "strategy");

/// The greedy on an oracle, brought to the feasible size by augmentation.
[[nodiscard]] std::vector<Pick> choose_greedily(Oracle& oracle, const StrategyInput& input,
                                                std::vector<Pick> start = {});

// One a file; the registry lists them.
[[nodiscard]] std::vector<Pick> choose_random(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_uncertain(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_by_objective(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_k_center(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_max_min(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_max_sum(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_bald(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_by_committee(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_herding(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_mmd(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_deduplicated(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_prob_cover(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_agglomerative(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_cluster_margin(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_typiclust(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_badge(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_gist(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_dpp(const StrategyInput& input);
[[nodiscard]] std::vector<Pick> choose_k_medoids(const StrategyInput& input);

}  // namespace pith
