#include "ranks/select_across.h"

#include <fmt/format.h>

#include <algorithm>

#include "objective/modular.h"
#include "objective/objective.h"
#include "pipeline/frame.h"
#include "pipeline/settle_caps.h"
#include "ranks/bounding.h"
#include "ranks/checkpoint.h"
#include "ranks/graph_across.h"
#include "ranks/measure_across.h"
#include "ranks/rank_greedy.h"
#include "ranks/rank_oracle.h"
#include "ranks/rank_scene.h"
#include "ranks/together.h"
#include "strategy/augment.h"

namespace pith {
namespace {

/// Strategies that look at nothing but the predictions, which every rank has.
bool looks_at_predictions_alone(const Strategy& strategy) {
  return !strategy.needs_objective && !strategy.needs_embeddings && strategy.needs_models == 0;
}

void require_shareable(const Strategy& strategy, const SelectInput& input, const SelectOptions& options,
                       Distributed distributed, bool measured) {
  if (!strategy.maximises_objective() && !looks_at_predictions_alone(strategy))
    refuse_to_share(fmt::format("the strategy {}", strategy.name));
  if (options.cost_budget || !input.costs.empty()) refuse_to_share("--budget-cost");
  if (!input.own_terms.empty()) refuse_to_share("a term of one's own");
  if (distributed == Distributed::bounding &&
      (!strategy.maximises_objective() || options.greedy.optimizer != Optimizer::lazy))
    throw Error(ErrorKind::bad_option,
                "--distributed bounding is for strategies that are a greedy on f, with --optimizer lazy; "
                "leave it out");
  if (measured) {
    static_cast<void>(reach_across(options.objective));
    for (const TermWeight& term : terms_of(options.objective))
      if (term.name == "scores") require_scores(input.scores, input.predictions.size());
  }
}

/// The choice of picks, as often as caps are raised for it.
class Chooser {
 public:
  Chooser(Communicator& ranks, const SelectInput& input, const SelectOptions& options, const Frame& frame,
          const RankScene* scene, Distributed distributed, Checkpoints& checkpoints, const Run& run)
      : ranks_(ranks),
        input_(input),
        options_(options),
        frame_(frame),
        scene_(scene),
        distributed_(distributed),
        checkpoints_(checkpoints),
        run_(run) {}

  /// `raises`: how often boundary caps have been raised. `start`: the first picks, known from before.
  [[nodiscard]] std::vector<Pick> choose(std::uint64_t raises, std::vector<Pick> start) const {
    if (!frame_.strategy.maximises_objective()) return frame_.strategy.choose(strategy_input());
    if (options_.greedy.optimizer != Optimizer::lazy) {
      RankOracle oracle(ranks_, *scene_);
      return choose_greedily(oracle, strategy_input());
    }
    if (distributed_ == Distributed::bounding) return choose_by_bounding(raises);
    return choose_exactly(raises, std::move(start));
  }

  /// What bounding did last, and what the exact greedy's picks are worth beside it.
  [[nodiscard]] const BoundingNote& note() const noexcept { return note_; }

 private:
  static constexpr int rounds = 4;

  [[nodiscard]] std::vector<Pick> choose_by_bounding(std::uint64_t raises) const {
    const int partitions = std::max(2, ranks_.size());
    BoundingResult found = run_bounding({.ranks = ranks_,
                                         .scene = *scene_,
                                         .sources = {.predictions = input_.predictions,
                                                     .scores = input_.scores,
                                                     .options = options_.objective,
                                                     .run = run_},
                                         .balance = frame_.balance,
                                         .pool = frame_.pool,
                                         .budget = frame_.budget,
                                         .seed = options_.seed,
                                         .partitions = partitions,
                                         .rounds = rounds,
                                         .run = run_});
    note_ = {
        .partitions = partitions, .rounds = rounds, .included = found.included, .excluded = found.excluded};
    augment_to_budget(found.picks);
    const std::vector<Pick> exact = choose_exactly(raises, {});
    note_.exact_picks = exact.size();
    note_.exact_objective = objective_across(ranks_, exact, *scene_, frame_.pool);
    return std::move(found.picks);
  }

  [[nodiscard]] std::vector<Pick> choose_exactly(std::uint64_t raises, std::vector<Pick> start) const {
    std::vector<Pick> picks =
        run_greedy_across({.ranks = ranks_,
                           .scene = *scene_,
                           .balance = frame_.balance,
                           .pool = frame_.pool,
                           .budget = frame_.budget,
                           .run = run_,
                           .start = std::move(start),
                           .settled = [&](const std::vector<Pick>& so_far) { save(raises, so_far); }});
    augment_to_budget(picks);
    return picks;
  }

  void augment_to_budget(std::vector<Pick>& picks) const {
    if (static_cast<std::int64_t>(picks.size()) >= frame_.budget) return;
    RankOracle oracle(ranks_, *scene_);
    std::vector<Item> chosen = frame_.pool.labelled;
    for (const Pick& pick : picks) chosen.push_back(pick.item);
    oracle.add_all(chosen);
    augment(picks, oracle, frame_.balance, frame_.pool, frame_.budget, run_);
  }

  void save(std::uint64_t raises, const std::vector<Pick>& picks) const {
    // Bounding does not go on from picks, and what it raised caps by is its own.
    if (distributed_ == Distributed::exact && ranks_.is_first() && checkpoints_.due())
      checkpoints_.save_picks({raises, picks});
  }
  [[nodiscard]] StrategyInput strategy_input() const {
    return {.embeddings = &input_.embeddings,
            .graph = nullptr,
            .objective = nullptr,
            .predictions = input_.predictions,
            .probabilities = input_.probabilities,
            .balance = frame_.balance,
            .pool = frame_.pool,
            .budget = frame_.budget,
            .seed = options_.seed,
            .metric = options_.graph.metric,
            .special = options_.special,
            .greedy = options_.greedy,
            .costs = {},
            .cost_budget = 0,
            .run = run_};
  }

  Communicator& ranks_;
  const SelectInput& input_;
  const SelectOptions& options_;
  const Frame& frame_;
  const RankScene* scene_;
  Distributed distributed_;
  Checkpoints& checkpoints_;
  const Run& run_;
  mutable BoundingNote note_;
};

Checkpoints checkpoints_of(const AcrossOptions& across) {
  if (across.checkpoint_folder.empty()) return {};
  return {across.checkpoint_folder, across.identity, across.checkpoint_seconds};
}

std::unique_ptr<RankScene> find_scene(Communicator& ranks, const SelectInput& input, Selection& selection,
                                      Checkpoints& checkpoints, StageClock& clock, const Run& run) {
  const RowBlocks blocks(selection.items, ranks.size());
  const SavedRows rows = find_rows_across(ranks, blocks, input, selection.options.graph, checkpoints, run);
  clock.lap("graph");
  auto scene = std::make_unique<RankScene>(ranks, blocks, rows.rows, rows.info,
                                           RankScene::Sources{.predictions = input.predictions,
                                                              .scores = input.scores,
                                                              .options = selection.options.objective,
                                                              .run = run});
  selection.graph = rows.info;
  selection.edges = scene->graph().edges();
  selection.triangles = scene->triangles().count;
  selection.thin_triangles = scene->triangles().thin_count;
  selection.area_threshold = scene->triangles().area_threshold;
  selection.largest_weighted_degree = scene->largest_weighted_degree();
  clock.lap("objective");
  return scene;
}

}  // namespace

Selection select_across(Communicator& ranks, const SelectInput& input, const SelectOptions& asked,
                        const AcrossOptions& across, const Run& run, std::optional<BoundingNote>* note) {
  Selection selection;
  StageClock clock(selection.seconds);
  Frame frame = together(ranks, [&] {
    Frame found = frame_selection(selection, input, check_selection(selection, input, asked));
    selection.measured =
        selection.options.measure || found.strategy.needs_objective || input.graph.has_value();
    require_shareable(found.strategy, input, selection.options, across.distributed, selection.measured);
    return found;
  });
  const SelectOptions& options = selection.options;
  Checkpoints checkpoints = together(ranks, [&] { return checkpoints_of(across); });
  clock.lap("caps");
  std::unique_ptr<RankScene> scene;
  if (selection.measured) scene = find_scene(ranks, input, selection, checkpoints, clock, run);

  const Chooser chooser(ranks, input, options, frame, scene.get(), across.distributed, checkpoints, run);
  // Which file is there may change while ranks look: one looks for all.
  SavedPicks saved;
  if (ranks.is_first() && across.distributed == Distributed::exact)
    saved = checkpoints.load_picks().value_or(SavedPicks{});
  if (std::any_of(saved.picks.begin(), saved.picks.end(),
                  [&](const Pick& pick) { return pick.item >= input.predictions.size(); }))
    saved = {};
  saved = unpack_picks(ranks.broadcast(pack_picks(saved), 0));
  std::uint64_t raises = 0;
  while (raises < saved.raises && raise_boundary_caps(selection, frame.balance)) ++raises;
  std::vector<Pick> picks = chooser.choose(raises, std::move(saved.picks));
  while (static_cast<std::int64_t>(picks.size()) < frame.budget && !selection.feasible_size_exact) {
    if (options.balance.shortfall == Shortfall::error)
      throw SharedError(ErrorKind::infeasible, describe_undecided(selection, picks.size()));
    if (options.balance.shortfall == Shortfall::stop || !raise_boundary_caps(selection, frame.balance)) break;
    picks = chooser.choose(++raises, {});
  }
  clock.lap("choose");

  describe_picks(selection, picks, input.predictions, frame.balance);
  if (scene)
    measure_across(ranks, selection, picks, input.predictions, *scene, frame.balance, frame.pool, run);
  if (note != nullptr && scene && across.distributed == Distributed::bounding) {
    *note = chooser.note();
    const double exact = (*note)->exact_objective;
    const double each = scene->objective().constant();
    const double found_beyond = selection.objective.total - each * static_cast<double>(picks.size());
    const double exact_beyond = exact - each * static_cast<double>((*note)->exact_picks);
    (*note)->ratio_to_exact = exact > 0 ? selection.objective.total / exact : 1;
    (*note)->ratio_without_constant = exact_beyond > 0 ? found_beyond / exact_beyond : 1;
  }
  clock.lap("measure");
  return selection;
}

void forget_checkpoints(const AcrossOptions& across) {
  checkpoints_of(across).clear();
}

}  // namespace pith
