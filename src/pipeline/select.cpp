#include "pith/select.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cmath>

#include "constraint/feasibility.h"
#include "objective/pair_penalty.h"
#include "objective/triples.h"
#include "pipeline/measure.h"
#include "pith/error.h"
#include "strategy/registry.h"

namespace pith {
namespace {

/// Seconds since the last lap, under a name. Measured for the reader, never looked at to decide anything.
class StageClock {
 public:
  explicit StageClock(std::vector<std::pair<std::string, double>>& out) : out_(out) {}
  void lap(const char* stage) {
    const auto now = std::chrono::steady_clock::now();
    out_.emplace_back(stage, std::chrono::duration<double>(now - last_).count());
    last_ = now;
  }

 private:
  std::vector<std::pair<std::string, double>>& out_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void require_items(const std::vector<Item>& items, std::size_t n, const char* what) {
  for (const Item item : items)
    if (item >= n)
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: item {} given, but there are {} items (0 to {})", what, item, n, n - 1));
}

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
                fmt::format("--embeddings: strategy '{}' needs the embeddings; pass --embeddings FILE",
                            strategy.name));
  require_models(input, strategy);
}

/// Costs and their budget come together, one cost an item.
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

std::int64_t checked_budget(const SelectOptions& options, const Pool& pool) {
  if (options.cost_budget) return static_cast<std::int64_t>(pool.candidates());
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

/// What the caps lack, for the message of --shortfall error.
std::string describe_shortfall(const Balance& balance, std::int64_t budget, std::int64_t feasible) {
  std::string full;
  if (balance.classes.active) {
    std::vector<std::size_t> scarce;
    for (std::size_t group = 0; group < balance.classes.groups(); ++group)
      if (balance.classes.available[group] < balance.classes.room(group)) scarce.push_back(group);
    if (!scarce.empty()) {
      const std::size_t shown = std::min<std::size_t>(scarce.size(), 8);
      full = fmt::format("; {} of {} classes have fewer items than their cap (class {}{})", scarce.size(),
                         balance.classes.groups(),
                         fmt::join(scarce.begin(), scarce.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                         shown < scarce.size() ? ", ..." : "");
    }
  }
  const Partition& boundaries = balance.boundaries;
  if (boundaries.active) {
    std::size_t crowded = 0;
    for (std::size_t group = 0; group < boundaries.groups(); ++group)
      crowded += boundaries.available[group] > boundaries.room(group) ? 1 : 0;
    if (crowded > 0)
      full +=
          fmt::format("; {} of {} boundaries have more items than their cap", crowded, boundaries.groups());
  }
  return fmt::format(
      "infeasible: {} items asked for, but no more than {} fit the caps ({} missing){}; lower --budget, "
      "raise "
      "{}, or use --shortfall relax or stop",
      budget, feasible, budget - feasible, full,
      !boundaries.active        ? "--class-cap"
      : !balance.classes.active ? "--boundary-cap"
                                : "--class-cap or --boundary-cap");
}

/// The pool as a flow over first boundaries should see it: without the candidates that a cap of 0 on one of
/// their other boundaries rules out.
Pool without_ruled_out(const Balance& balance, const Pool& pool) {
  const Partition& boundaries = balance.boundaries;
  if (!boundaries.active || boundaries.further == 0) return pool;
  Pool left = pool;
  for (std::size_t at = 0; at < left.state.size(); ++at)
    boundaries.for_each_group(static_cast<Item>(at), [&](std::uint32_t group) {
      if (left.state[at] == Pool::State::candidate && boundaries.cap_requested[group] == 0)
        left.state[at] = Pool::State::excluded;
    });
  return left;
}

/// Caps in force and how many items to choose.
std::int64_t settle_caps(Selection& selection, Balance& balance, const Pool& pool, Shortfall rule) {
  const std::vector<Cell> cells = count_cells(balance, without_ruled_out(balance, pool));
  selection.feasible_size_exact = !balance.boundaries.active || balance.boundaries.further == 0;
  selection.feasible_size = feasible_size(balance, cells);
  if (selection.feasible_size >= selection.requested) return selection.requested;
  if (rule == Shortfall::error)
    throw Error(ErrorKind::infeasible,
                describe_shortfall(balance, selection.requested, selection.feasible_size));
  if (rule == Shortfall::stop) return selection.feasible_size;
  const Relaxation relaxation = relax_caps(balance, cells, selection.requested);
  selection.relaxed = relaxation.relaxed;
  selection.class_level = relaxation.class_level;
  selection.boundary_factor = relaxation.boundary_factor;
  return std::min(selection.requested, relaxation.feasible_size);
}

/// The graph with all that f is made of. Notes in the selection what it found.
struct Scene {
  Scene(const SelectInput& input, Selection& selection, StageClock& clock, const Run& run)
      : graph(find_graph(input, selection, clock, run)),
        triangles(find_all_triangles(input, selection, clock, run)),
        objective(make_objective({.predictions = input.predictions,
                                  .graph = graph,
                                  .triangles = triangles,
                                  .scores = input.scores,
                                  .embeddings = &input.embeddings,
                                  .memory_bytes = selection.options.graph.memory_bytes,
                                  .options = selection.options.objective,
                                  .run = run},
                                 input.own_terms)) {
    const std::optional<std::size_t> diversity = objective.find("diversity");
    selection.largest_weighted_degree =
        diversity ? objective.parts()[*diversity].term->constant() : largest_weighted_degree(graph, run);
    clock.lap("objective");
  }

  Graph graph;
  Triangles triangles;
  Objective objective;

 private:
  static Graph find_graph(const SelectInput& input, Selection& selection, StageClock& clock, const Run& run) {
    Graph found = input.graph ? *input.graph : build_graph(input.embeddings, selection.options.graph, run);
    selection.graph = found.info();
    selection.edges = found.edge_count();
    clock.lap("graph");
    return found;
  }
  Triangles find_all_triangles(const SelectInput& input, Selection& selection, StageClock& clock,
                               const Run& run) const {
    Triangles found = find_triangles(
        graph, area_rule_of(selection.options.objective, graph.info().metric, input.embeddings, run), run);
    selection.triangles = found.count;
    selection.thin_triangles = found.thin_count;
    selection.area_threshold = found.area_threshold;
    clock.lap("triangles");
    return found;
  }
};

/// The message of --shortfall error where the greedy ended short and nobody knows whether it had to.
std::string describe_undecided(const Selection& selection, std::size_t found) {
  return fmt::format(
      "infeasible: {} items asked for, and the greedy found {} within the caps; with several boundaries an "
      "item it is not decided whether more fit; lower --budget, raise --boundary-cap or --class-cap, or use "
      "--shortfall relax or stop",
      selection.requested, found);
}

/// One step up for all boundary caps: the least power of 1.25 that raises one; false where none binds.
bool raise_boundary_caps(Selection& selection, Balance& balance) {
  Partition& boundaries = balance.boundaries;
  bool binding = false;
  for (std::size_t group = 0; group < boundaries.groups(); ++group)
    binding = binding || (boundaries.cap_requested[group] > 0 &&
                          boundaries.cap[group] < boundaries.available[group] + boundaries.labelled[group]);
  if (!binding) return false;
  selection.relaxed = true;
  for (bool raised = false; !raised;) {
    selection.boundary_factor *= 1.25;
    for (std::size_t group = 0; group < boundaries.groups(); ++group) {
      const auto cap = static_cast<std::int64_t>(selection.boundary_factor *
                                                 static_cast<double>(boundaries.cap_requested[group]));
      raised = raised || cap > boundaries.cap[group];
      boundaries.cap[group] = std::max(boundaries.cap[group], cap);
    }
  }
  return true;
}

GroupRow group_row(const Partition& partition, std::size_t group, std::uint32_t first, std::uint32_t second) {
  return {.first = first,
          .second = second,
          .available = partition.available[group],
          .labelled = partition.labelled[group],
          .cap_requested = partition.cap_requested[group],
          .cap = partition.cap[group],
          .selected = 0};
}

void describe_picks(Selection& selection, const std::vector<Pick>& picks, const Predictions& predictions,
                    const Balance& balance) {
  selection.class_caps_active = balance.classes.active;
  selection.boundary_caps_active = balance.boundaries.active;
  for (std::uint32_t group = 0; group < balance.classes.groups(); ++group)
    selection.class_groups.push_back(group_row(balance.classes, group, group, group));
  for (std::size_t group = 0; group < balance.boundaries.groups(); ++group) {
    const auto [first, second] = balance.boundary_pairs[group];
    selection.boundaries.push_back(group_row(balance.boundaries, group, first, second));
  }
  double uncertainty = 0;
  for (const Pick& pick : picks) {
    PickRow row{.item = pick.item, .class_label = predictions.best[pick.item], .boundary = {}};
    row.uncertainty = predictions.uncertainty()[pick.item];
    row.score = pick.score;
    row.augmented = pick.augmented;
    uncertainty += row.uncertainty;
    selection.augmented += pick.augmented ? 1 : 0;
    ++selection.class_groups[row.class_label].selected;
    if (const std::uint32_t boundary = balance.boundaries.group_of[pick.item]; boundary != no_group)
      row.boundary = boundary;
    balance.boundaries.for_each_group(
        pick.item, [&](std::uint32_t boundary) { ++selection.boundaries[boundary].selected; });
    selection.picks.push_back(row);
  }
  if (!picks.empty()) selection.mean_uncertainty = uncertainty / static_cast<double>(picks.size());
  double all = 0;
  for (const double u : predictions.uncertainty()) all += u;
  selection.mean_uncertainty_of_all = all / static_cast<double>(predictions.size());
}

/// What costs cannot be combined with.
void require_cost_strategy(const SelectOptions& options, const Strategy& strategy) {
  if (!strategy.needs_objective)
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
  if (strategy.drops_triples) options.objective.lambda[2] = 0;
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
  if (options.greedy.optimizer != Optimizer::lazy && !strategy.needs_objective)
    throw Error(
        ErrorKind::bad_option,
        fmt::format("--optimizer: strategy '{}' is not a greedy on f and has none to choose; leave it out",
                    strategy.name));
  if (options.cost_budget) require_cost_strategy(options, strategy);
  return options;
}

Selection select(const SelectInput& input, const SelectOptions& asked, const Run& run) {
  Selection selection;
  selection.options = effective_options(asked);
  const SelectOptions& options = selection.options;
  const Strategy& strategy = find_strategy(options.strategy);
  StageClock clock(selection.seconds);

  require_matching(input, strategy, options.measure);
  require_costs(input, options);
  const Pool pool = make_pool(input);
  selection.items = pool.state.size();
  selection.classes = input.predictions.classes;
  selection.requested = checked_budget(options, pool);
  selection.candidates = static_cast<std::int64_t>(pool.candidates());
  selection.labelled = static_cast<std::int64_t>(input.labelled.size());
  selection.excluded = static_cast<std::int64_t>(input.excluded.size());
  selection.balance = *options.balance.balance;

  Balance balance =
      make_balance(input.predictions, pool, selection.requested, selection.balance, options.balance);
  const std::int64_t budget = settle_caps(selection, balance, pool, options.balance.shortfall);
  clock.lap("caps");

  selection.measured = options.measure || strategy.needs_objective || input.graph.has_value();
  std::optional<Scene> scene;
  if (selection.measured) scene.emplace(input, selection, clock, run);

  const auto choose = [&] {
    return strategy.choose({.embeddings = &input.embeddings,
                            .graph = scene ? &scene->graph : nullptr,
                            .objective = scene ? &scene->objective : nullptr,
                            .predictions = input.predictions,
                            .probabilities = input.probabilities,
                            .balance = balance,
                            .pool = pool,
                            .budget = budget,
                            .seed = options.seed,
                            .metric = scene ? scene->graph.info().metric : options.graph.metric,
                            .special = options.special,
                            .greedy = options.greedy,
                            .costs = input.costs,
                            .cost_budget = options.cost_budget.value_or(0),
                            .run = run});
  };
  std::vector<Pick> picks = choose();
  // Whether several boundaries an item leave room for the budget shows only now.
  while (static_cast<std::int64_t>(picks.size()) < budget && !selection.feasible_size_exact) {
    if (options.balance.shortfall == Shortfall::error)
      throw Error(ErrorKind::infeasible, describe_undecided(selection, picks.size()));
    if (options.balance.shortfall == Shortfall::stop || !raise_boundary_caps(selection, balance)) break;
    picks = choose();
  }
  clock.lap("choose");

  describe_picks(selection, picks, input.predictions, balance);
  if (options.cost_budget) {
    for (const Pick& pick : picks) selection.cost += input.costs[pick.item];
    selection.requested = static_cast<std::int64_t>(picks.size());
  }
  if (scene)
    measure_picks(selection, picks, input.predictions, scene->graph, scene->objective, balance, pool,
                  input.costs, run);
  clock.lap("measure");
  return selection;
}

}  // namespace pith
