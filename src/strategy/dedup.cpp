#include <algorithm>
#include <limits>

#include "graph/metric.h"
#include "strategy/nearest_center.h"
#include "strategy/pick_list.h"

namespace pith {
namespace {

/// Candidates by uncertainty, the largest first, ties to the lower index.
std::vector<Item> by_preference(const StrategyInput& input) {
  const auto scores = input.predictions.uncertainty();
  std::vector<Item> order;
  for (Item item = 0; item < input.pool.state.size(); ++item)
    if (input.pool.state[item] == Pool::State::candidate) order.push_back(item);
  std::stable_sort(order.begin(), order.end(), [&](Item a, Item b) { return scores[a] > scores[b]; });
  return order;
}

}  // namespace

/// Goes through the items by preference and leaves out what is at least `similarity` similar to an item kept
/// before, or to a labelled one. Exact: the graph gives the scale of similarities, not the pairs. What was
/// left out comes last, by preference, where the rest is less than the budget.
std::vector<Pick> choose_deduplicated(const StrategyInput& input) {
  NearestCenter kept(input.embeddings->view, input.metric, input.run);
  for (const Item item : input.pool.labelled) kept.add(item);
  const auto scores = input.predictions.uncertainty();
  const std::vector<Item> order = by_preference(input);
  PickList list(input);
  std::vector<double> ignored(NearestCenter::together);
  for (std::size_t begin = 0; begin < order.size() && !list.full(); begin += NearestCenter::together) {
    input.run.check_cancelled();
    input.run.report("dedup", static_cast<double>(begin), static_cast<double>(order.size()));
    const std::size_t count = std::min(NearestCenter::together, order.size() - begin);
    // Most comparisons are made for many items at once; what remains are those within the batch.
    kept.score_all({order.data() + begin, count}, {ignored.data(), count});
    for (std::size_t at = begin; at < begin + count && !list.full(); ++at) {
      const Item item = order[at];
      if (!list.is_open(item)) continue;
      const double nearest = kept.score(item);
      const bool duplicate =
          nearest < std::numeric_limits<double>::infinity() &&
          input.graph->similarity(stored_dissimilarity(nearest)) >= input.special.similarity;
      if (duplicate) continue;
      kept.add(item);
      list.take(item, scores[item]);
    }
  }
  return std::move(list).complete({scores.begin(), scores.end()});
}

}  // namespace pith
