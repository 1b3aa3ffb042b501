#include "pipeline/frame.h"

#include <algorithm>

#include "pipeline/automatic.h"
#include "pipeline/check_input.h"
#include "pipeline/settle_caps.h"
#include "pith/error.h"

namespace pith {
namespace {

GroupRow group_row(const Partition& partition, std::size_t group, std::uint32_t first, std::uint32_t second) {
  return {.first = first,
          .second = second,
          .available = partition.available[group],
          .labelled = partition.labelled[group],
          .cap_requested = partition.cap_requested[group],
          .cap = partition.cap[group],
          .selected = 0};
}

}  // namespace

const Strategy& check_selection(Selection& selection, const SelectInput& input, const SelectOptions& asked) {
  selection.options = effective_options(asked);
  if (input.graph) {
    const GraphInfo& info = input.graph->info();
    GraphOptions& own = selection.options.graph;
    if (info.neighbors > 0) own.neighbors = info.neighbors;
    own.metric = info.metric;
    own.symmetry = info.symmetry;
  }
  const SelectOptions& options = selection.options;
  const Strategy& strategy = find_strategy(options.strategy);
  if (input.predictions.kind != options.objective.uncertainty)
    throw Error(ErrorKind::bad_input,
                "the predictions were read with another kind of uncertainty than the strategy looks at; read "
                "them with "
                "effective_options(options).objective.uncertainty");
  require_matching(input, strategy, options.measure);
  require_costs(input, options);
  return strategy;
}

Frame frame_selection(Selection& selection, const SelectInput& input, const Strategy& strategy) {
  const SelectOptions& options = selection.options;
  Pool pool = make_pool(input);
  selection.items = pool.state.size();
  selection.classes = input.predictions.classes;
  require_affordable(input, options, pool);
  selection.requested = checked_budget(options, pool);
  selection.automatic = settle_automatic(selection.options, input, pool);
  selection.candidates = static_cast<std::int64_t>(pool.candidates());
  selection.labelled = static_cast<std::int64_t>(input.labelled.size());
  selection.excluded = std::count(pool.state.begin(), pool.state.end(), Pool::State::excluded);
  selection.balance = *options.balance.balance;

  Balance balance =
      make_balance(input.predictions, pool, selection.requested, selection.balance, options.balance);
  const std::int64_t budget = settle_caps(selection, balance, pool, options.balance.shortfall);
  return {strategy, std::move(pool), std::move(balance), budget};
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

}  // namespace pith
