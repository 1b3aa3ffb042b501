#include "pith/select.h"

#include <chrono>
#include <future>

#include "graph/build_graph.h"
#include "objective/pair_penalty.h"
#include "objective/triples.h"
#include "pipeline/automatic.h"
#include "pipeline/certificate.h"
#include "pipeline/check_input.h"
#include "pipeline/kept_selection.h"
#include "pipeline/measure.h"
#include "pipeline/plan_graph.h"
#include "pipeline/settle_caps.h"
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

/// Makes the scene, and notes in the selection what it found.
std::unique_ptr<Scene> make_scene(const SelectInput& input, const SelectShortcuts& shortcuts,
                                  Selection& selection, StageClock& clock, const Run& run) {
  const SelectOptions& options = selection.options;
  auto scene = std::make_unique<Scene>();
  scene->graph =
      input.graph ? *input.graph
                  : build_checked_graph(input.embeddings, as_planned(options.graph, selection.plan), run);
  selection.graph = scene->graph.info();
  selection.edges = scene->graph.edge_count();
  clock.lap("graph");

  scene->triangles = shortcuts.triangles;
  if (scene->triangles == nullptr)
    scene->triangles = std::make_shared<Triangles>(find_triangles(
        scene->graph, area_rule_of(options.objective, selection.graph.metric, input.embeddings, run), run));
  selection.triangles = scene->triangles->count;
  selection.thin_triangles = scene->triangles->thin_count;
  selection.area_threshold = scene->triangles->area_threshold;
  clock.lap("triangles");

  scene->objective = make_objective({.predictions = input.predictions,
                                     .graph = scene->graph,
                                     .triangles = *scene->triangles,
                                     .scores = input.scores,
                                     .embeddings = &input.embeddings,
                                     .memory_bytes = options.graph.memory_bytes,
                                     .options = options.objective,
                                     .run = run},
                                    input.own_terms);
  const std::optional<std::size_t> diversity = scene->objective.find("diversity");
  selection.largest_weighted_degree = diversity ? scene->objective.parts()[*diversity].term->constant()
                                                : largest_weighted_degree(scene->graph, run);
  clock.lap("objective");
  return scene;
}

/// The certificate's upper bound, as far as it goes without the picks.
UpperBound make_bound(const SelectInput& input, const Objective& objective, const Balance& balance,
                      const Pool& pool, std::int64_t budget, std::optional<double> cost_budget,
                      const Run& run) {
  ObjectiveState state(objective);
  for (const Item item : pool.labelled) state.add(item);
  UpperBound bound = cost_budget ? UpperBound(objective, state, pool, input.costs, *cost_budget, run)
                                 : UpperBound(objective, state, balance, pool, budget, run);
  bound.prepare(run);
  return bound;
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

}  // namespace

std::unique_ptr<KeptSelection> select_and_keep(const SelectInput& input, const SelectOptions& asked,
                                               const SelectShortcuts& shortcuts, const Run& run) {
  auto kept = std::make_unique<KeptSelection>();
  Selection& selection = kept->selection;
  selection.options = effective_options(asked);
  const SelectOptions& options = selection.options;
  const Strategy& strategy = find_strategy(options.strategy);
  StageClock clock(selection.seconds);

  require_matching(input, strategy, options.measure);
  require_costs(input, options);
  selection.plan = plan_selection(input, options, run);
  require_memory(selection.plan, options.graph.memory_bytes);
  const Pool& pool = kept->pool = make_pool(input);
  selection.items = pool.state.size();
  selection.classes = input.predictions.classes;
  selection.requested = checked_budget(options, pool);
  settle_automatic(selection.options, input, pool);
  selection.candidates = static_cast<std::int64_t>(pool.candidates());
  selection.labelled = static_cast<std::int64_t>(input.labelled.size());
  selection.excluded = static_cast<std::int64_t>(input.excluded.size());
  selection.balance = *options.balance.balance;

  Balance& balance = kept->balance =
      make_balance(input.predictions, pool, selection.requested, selection.balance, options.balance);
  const std::int64_t budget = settle_caps(selection, balance, pool, options.balance.shortfall);
  clock.lap("caps");

  selection.measured = options.measure || strategy.needs_objective || input.graph.has_value();
  if (selection.measured) kept->scene = make_scene(input, shortcuts, selection, clock, run);
  const Scene* scene = kept->scene.get();

  const auto choose = [&] {
    return strategy.choose({.embeddings = &input.embeddings,
                            .graph = scene != nullptr ? &scene->graph : nullptr,
                            .objective = scene != nullptr ? &scene->objective : nullptr,
                            .predictions = input.predictions,
                            .probabilities = input.probabilities,
                            .balance = balance,
                            .pool = pool,
                            .budget = budget,
                            .seed = options.seed,
                            .metric = scene != nullptr ? scene->graph.info().metric : options.graph.metric,
                            .special = options.special,
                            .greedy = options.greedy,
                            .costs = input.costs,
                            .cost_budget = options.cost_budget.value_or(0),
                            .run = run});
  };
  const auto bound_for = [&](std::int64_t size, const Run& with) {
    return make_bound(input, scene->objective, balance, pool, size, options.cost_budget, with);
  };
  // Most choices keep one thread busy; the certificate needs to know little of them.
  const Run aside{.threads = 1, .progress = {}, .cancelled = run.cancelled};
  std::future<UpperBound> early_bound;
  if (scene != nullptr && shortcuts.certify && run.thread_count() > 1)
    early_bound = std::async(std::launch::async, [&] { return bound_for(budget, aside); });
  std::vector<Pick> picks = choose();
  // Whether several boundaries an item leave room for the budget shows only now.
  while (static_cast<std::int64_t>(picks.size()) < budget && !selection.feasible_size_exact) {
    if (options.balance.shortfall == Shortfall::error)
      throw Error(ErrorKind::infeasible, describe_undecided(selection, picks.size()));
    if (early_bound.valid()) early_bound.get();  // it looks at the caps that are about to rise
    if (options.balance.shortfall == Shortfall::stop || !raise_boundary_caps(selection, balance)) break;
    picks = choose();
  }
  clock.lap("choose");

  describe_picks(selection, picks, input.predictions, balance);
  if (options.cost_budget) {
    for (const Pick& pick : picks) selection.cost += input.costs[pick.item];
    selection.requested = static_cast<std::int64_t>(picks.size());
  }
  if (scene != nullptr) {
    const auto size = static_cast<std::int64_t>(picks.size());
    const bool fits = early_bound.valid() && (size == budget || options.cost_budget);
    std::optional<UpperBound> bound;
    if (shortcuts.certify) bound.emplace(fits ? early_bound.get() : bound_for(size, run));
    measure_picks(selection, picks, input.predictions, scene->graph, scene->objective, pool, std::move(bound),
                  run);
  }
  clock.lap("measure");
  return kept;
}

Certificate certify(const KeptSelection& kept, const SelectInput& input, const Run& run) {
  Selection measured;
  measured.options = kept.selection.options;
  measured.picks = kept.selection.picks;
  std::vector<Pick> picks;
  for (const PickRow& row : measured.picks) picks.push_back({row.item, row.score, row.augmented});
  measure_picks(measured, picks, input.predictions, kept.scene->graph, kept.scene->objective, kept.pool,
                make_bound(input, kept.scene->objective, kept.balance, kept.pool,
                           static_cast<std::int64_t>(picks.size()), measured.options.cost_budget, run),
                run);
  return measured.certificate;
}

Selection select(const SelectInput& input, const SelectOptions& options, const Run& run) {
  return std::move(select_and_keep(input, options, {}, run)->selection);
}

}  // namespace pith
