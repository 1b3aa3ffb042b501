#include "pith/select.h"

#include <future>

#include "graph/build_graph.h"
#include "objective/pair_penalty.h"
#include "objective/triples.h"
#include "pipeline/certificate.h"
#include "pipeline/frame.h"
#include "pipeline/kept_selection.h"
#include "pipeline/measure.h"
#include "pipeline/plan_graph.h"
#include "pipeline/settle_caps.h"
#include "pith/error.h"
#include "strategy/registry.h"

namespace pith {
namespace {

/// Makes the scene, and notes in the selection what it found.
std::unique_ptr<Scene> make_scene(const SelectInput& input, const SelectShortcuts& shortcuts,
                                  Selection& selection, StageClock& clock, const Run& run) {
  const SelectOptions& options = selection.options;
  auto scene = std::make_unique<Scene>();
  scene->graph = input.graph
                     ? *input.graph
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

}  // namespace

std::unique_ptr<KeptSelection> select_and_keep(const SelectInput& input, const SelectOptions& asked,
                                               const SelectShortcuts& shortcuts, const Run& run) {
  auto kept = std::make_unique<KeptSelection>();
  Selection& selection = kept->selection;
  StageClock clock(selection.seconds);
  const Strategy& strategy = check_selection(selection, input, asked);
  const SelectOptions& options = selection.options;
  selection.plan = plan_selection(input, options, run, shortcuts.besides);
  require_memory(selection.plan, options.graph.memory_bytes);
  Frame frame = frame_selection(selection, input, strategy);
  const Pool& pool = kept->pool = std::move(frame.pool);
  Balance& balance = kept->balance = std::move(frame.balance);
  const std::int64_t budget = frame.budget;
  clock.lap("caps");

  selection.measured = options.measure || strategy.needs_objective || input.graph.has_value();
  if (selection.measured) kept->scene = make_scene(input, shortcuts, selection, clock, run);
  const Scene* scene = kept->scene.get();

  const auto choose = [&] {
    if (budget == 0) return std::vector<Pick>{};  // caps of 0 leave nothing to choose from
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
  // Most choices keep one thread busy; the certificate needs to know little of them. Where the system gives
  // no thread for it, it is made when it is asked for.
  constexpr auto beside = std::launch::async | std::launch::deferred;
  const Run aside{.threads = 1, .progress = {}, .cancelled = run.cancelled};
  std::future<UpperBound> early_bound;
  if (scene != nullptr && shortcuts.certify && run.thread_count() > 1)
    early_bound = std::async(beside, [&] { return bound_for(budget, aside); });
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
  const UncertaintyKind kind = effective_options(options).objective.uncertainty;
  if (input.predictions.kind == kind || input.probabilities.empty())
    return std::move(select_and_keep(input, options, {}, run)->selection);
  SelectInput read_again = input;  // another strategy on predictions that were read for a first one
  read_again.predictions =
      read_predictions(input.probabilities, kind, run, options.balance.boundaries_per_item);
  return std::move(select_and_keep(read_again, options, {}, run)->selection);
}

}  // namespace pith
