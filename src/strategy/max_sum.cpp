#include "strategy/item_lengths.h"
#include "strategy/mean_item.h"
#include "strategy/pick_list.h"

namespace pith {

/// Next is always the item with the largest sum of lengths to all chosen ones. At least half of the largest
/// sum over pairs that any k items have, without caps (Ravi, Rosenkrantz, Tayi 1994; Birnbaum, Goldman 2009).
/// Labelled items are chosen already; without any, the first is the item farthest from the mean. O(n k D).
std::vector<Pick> choose_max_sum(const StrategyInput& input) {
  const ItemLengths lengths(input.embeddings->view, input.metric, input.run);
  std::vector<double> sums(lengths.size(), 0.0);
  PickList list(input);
  for (const Item center : input.pool.labelled)
    static_cast<void>(find_best(list, lengths.size(), input.run,
                                [&](Item item) { return sums[item] += lengths.length_of(item, center); }));
  if (input.pool.labelled.empty())
    for (const Pick& first : farthest_from_mean(input)) list.take(first.item, 0);
  while (!list.full()) {
    const std::size_t chosen = list.picks().size();
    const std::optional<Pick> next = find_best(list, lengths.size(), input.run, [&](Item item) {
      if (chosen > 0) sums[item] += lengths.length_of(item, list.picks().back().item);
      return sums[item];
    });
    if (!next) break;
    list.take(next->item, next->score);
    input.run.report("max-sum", static_cast<double>(chosen), static_cast<double>(input.budget));
  }
  return std::move(list).complete(std::move(sums));
}

}  // namespace pith
