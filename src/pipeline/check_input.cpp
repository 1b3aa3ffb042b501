#include "pipeline/check_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pith/error.h"
#include "strategy/within_cost.h"

namespace pith {
namespace {

void require_items(const std::vector<Item>& items, std::size_t n, const char* what) {
  for (const Item item : items)
    if (item >= n)
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: item {} given, but there are {} items (0 to {})", what, item, n, n - 1));
}

}  // namespace

Pool make_pool(const SelectInput& input) {
  const std::size_t n = input.predictions.size();
  require_items(input.labelled, n, "labelled");
  require_items(input.excluded, n, "excluded");
  Pool pool = Pool::of_all(n);
  for (const Item item : input.excluded) pool.state[item] = Pool::State::excluded;
  for (std::size_t at = 0; at < input.labelled.size(); ++at) {
    const Item item = input.labelled[at];
    if (pool.state[item] != Pool::State::candidate)
      throw Error(ErrorKind::bad_input,
                  fmt::format("item {} is {}; list it once", item,
                              pool.state[item] == Pool::State::labelled ? "labelled twice"
                                                                        : "both labelled and excluded"));
    pool.state[item] = Pool::State::labelled;
    pool.labelled.push_back(item);
    const bool given = at < input.labels.size() && input.labels[at].has_value();
    pool.labelled_class.push_back(given ? *input.labels[at] : no_group);
  }
  return pool;
}

namespace {

/// Strategies that look beyond the predictions' summary need the probabilities themselves.
void require_models(const SelectInput& input, const Strategy& strategy) {
  const std::size_t models = input.probabilities.members.size();
  if (models < strategy.needs_models)
    throw Error(
        ErrorKind::bad_option,
        fmt::format("--probs: strategy '{}' needs the class probabilities of {}, {} given; pass "
                    "--probs FILE once a model",
                    strategy.name,
                    strategy.needs_models == 1 ? "a model" : fmt::format("{} models", strategy.needs_models),
                    models));
  if (strategy.needs_models == 0) return;
  for (const Matrix& member : input.probabilities.members)
    if (member.rows() != input.predictions.size() || member.cols() != input.predictions.classes)
      throw Error(ErrorKind::bad_input,
                  fmt::format("{} has {} rows and {} classes but the predictions have {} and {}; both must "
                              "describe the same items",
                              member.source, member.rows(), member.cols(), input.predictions.size(),
                              input.predictions.classes));
}

}  // namespace

void require_matching(const SelectInput& input, const Strategy& strategy, bool measure) {
  const std::size_t n = input.predictions.size();
  if (n == 0) throw Error(ErrorKind::bad_input, "no items: the class probabilities are empty");
  const bool has_embeddings = input.embeddings.rows() != 0;
  if (has_embeddings && input.embeddings.rows() != n)
    throw Error(
        ErrorKind::bad_input,
        fmt::format("{} has {} rows but the class probabilities have {}; both must describe the same items",
                    input.embeddings.source, input.embeddings.rows(), n));
  if (input.graph && input.graph->size() != n)
    throw Error(
        ErrorKind::bad_input,
        fmt::format("the graph has {} items but the class probabilities have {} rows; rebuild it with "
                    "pith graph",
                    input.graph->size(), n));
  const bool graph_missing = !input.graph && (measure || strategy.needs_objective);
  if (!has_embeddings && (strategy.needs_embeddings || graph_missing))
    throw Error(ErrorKind::bad_option,
                strategy.needs_embeddings || strategy.needs_objective
                    ? fmt::format("--embeddings: strategy '{}' needs the embeddings; pass --embeddings FILE",
                                  strategy.name)
                    : "--embeddings: measuring the picks needs the embeddings; pass --embeddings FILE, or do "
                      "without: --measure light");
  require_models(input, strategy);
}

void require_costs(const SelectInput& input, const SelectOptions& options) {
  if (input.costs.empty() != !options.cost_budget)
    throw Error(ErrorKind::bad_option, input.costs.empty()
                                           ? "--budget-cost: the items have no costs; pass --costs FILE"
                                           : "--costs: say how much may be spent; add --budget-cost X");
  if (!input.costs.empty() && input.costs.size() != input.predictions.size())
    throw Error(ErrorKind::bad_input, fmt::format("--costs: {} costs for {} items; give one an item",
                                                  input.costs.size(), input.predictions.size()));
  for (std::size_t item = 0; item < input.costs.size(); ++item)
    if (!(input.costs[item] > 0) || !std::isfinite(input.costs[item]))
      throw Error(ErrorKind::bad_input,
                  fmt::format("--costs: item {} costs {}; a cost must be above 0", item, input.costs[item]));
}

void require_affordable(const SelectInput& input, const SelectOptions& options, const Pool& pool) {
  if (!options.cost_budget) return;
  double cheapest = std::numeric_limits<double>::infinity();
  for (std::size_t item = 0; item < pool.state.size(); ++item)
    if (pool.state[item] == Pool::State::candidate) cheapest = std::min(cheapest, input.costs[item]);
  if (cheapest > cost_limit(*options.cost_budget) && std::isfinite(cheapest))
    throw Error(ErrorKind::bad_option,
                fmt::format("--budget-cost: {:g} given, but the cheapest item costs {:g}; allow that much",
                            *options.cost_budget, cheapest));
}

std::int64_t checked_budget(const SelectOptions& options, const Pool& pool) {
  if (options.cost_budget) {
    if (pool.candidates() == 0)
      throw Error(ErrorKind::bad_option,
                  "--budget-cost: no item is left after the labelled and excluded ones; leave some");
    return static_cast<std::int64_t>(pool.candidates());
  }
  const auto n = static_cast<std::int64_t>(pool.state.size());
  const std::int64_t budget = options.budget.count_of(pool.state.size());
  const auto left = static_cast<std::int64_t>(pool.candidates());
  if (budget > n)
    throw Error(ErrorKind::bad_option,
                fmt::format("--budget: {} items asked for, but there are only {}; ask for fewer", budget, n));
  if (budget > left)
    throw Error(ErrorKind::bad_option,
                fmt::format("--budget: {} items asked for, but only {} of {} are left after the labelled and "
                            "excluded ones; ask for fewer",
                            budget, left, n));
  return budget;
}

namespace {

/// What costs cannot be combined with.
void require_cost_strategy(const SelectOptions& options, const Strategy& strategy) {
  if (!strategy.maximises_objective())
    throw Error(
        ErrorKind::bad_option,
        fmt::format("--budget-cost: strategy '{}' does not look at costs; use submod, facility-location "
                    "or graph-cut",
                    strategy.name));
  if (*options.balance.balance != BalanceKind::none)
    throw Error(ErrorKind::bad_option,
                "--budget-cost: costs and caps together have no guarantee here; add --balance none");
  if (options.greedy.optimizer != Optimizer::lazy)
    throw Error(ErrorKind::bad_option, "--budget-cost: costs need --optimizer lazy, the default");
}

}  // namespace

SelectOptions effective_options(SelectOptions options) {
  const Strategy& strategy = find_strategy(options.strategy);
  const std::vector<std::string> problems = options.check();
  if (!problems.empty()) throw Error(ErrorKind::bad_option, fmt::format("{}", fmt::join(problems, "; ")));
  if (strategy.ranks_by) options.objective.uncertainty = *strategy.ranks_by;
  if (strategy.drops_triples && options.objective.lambda) (*options.objective.lambda)[2] = 0;
  if (!strategy.only_term.empty()) {
    // Applied twice, this changes nothing: the term that is there already is its own.
    const std::vector<TermWeight>& terms = options.objective.terms;
    if (!terms.empty() && (terms.size() != 1 || terms[0].name != strategy.only_term || terms[0].weight != 1))
      throw Error(ErrorKind::bad_option,
                  fmt::format("--term: strategy '{}' has one term of its own; use --strategy submod (without "
                              "caps) or submod-bal for a mixture",
                              strategy.name));
    options.objective.terms = {{std::string(strategy.only_term), 1.0}};
  }
  if (!options.balance.balance) options.balance.balance = strategy.default_balance;
  if (options.greedy.optimizer != Optimizer::lazy && !strategy.maximises_objective())
    throw Error(
        ErrorKind::bad_option,
        fmt::format("--optimizer: strategy '{}' is not a greedy on f and has none to choose; leave it out",
                    strategy.name));
  if (options.cost_budget) require_cost_strategy(options, strategy);
  return options;
}

}  // namespace pith
