#include "strategy/item_lengths.h"
#include "strategy/kernel_means.h"
#include "strategy/pick_list.h"

namespace pith {

/// Prototypes by kernel mean matching (Kim, Khanna, Koyejo 2016, the prototypes of MMD-critic): next is
/// always the item that lowers the maximum mean discrepancy between the chosen and all most. As k(x,x) = 1,
/// that is the largest of (m + 1) mean(x) - sum of k(x, s) over the m chosen s: kernel herding (Chen,
/// Welling, Smola 2010). Labelled items are chosen already. O(n^2 D) for the means, O(n k D) for the rest.
std::vector<Pick> choose_mmd(const StrategyInput& input) {
  const ItemLengths lengths(input.embeddings->view, input.metric, input.run);
  const HeavyKernel kernel(lengths, input.metric, input.pool);
  const std::vector<double> means = kernel_means(kernel, input);
  std::vector<double> covered(lengths.size(), 0.0);
  std::vector<double> values(lengths.size(), 0.0);
  PickList list(input);
  for (const Item prototype : input.pool.labelled)
    static_cast<void>(find_best(list, lengths.size(), input.run,
                                [&](Item item) { return covered[item] += kernel.between(item, prototype); }));
  auto chosen = static_cast<double>(input.pool.labelled.size());
  while (!list.full()) {
    const bool first = list.picks().empty();
    const std::optional<Pick> next = find_best(list, lengths.size(), input.run, [&](Item item) {
      if (!first) covered[item] += kernel.between(item, list.picks().back().item);
      return values[item] = (chosen + 1) * means[item] - covered[item];
    });
    if (!next) break;
    list.take(next->item, next->score);
    ++chosen;
    input.run.report("mmd", static_cast<double>(list.picks().size()), static_cast<double>(input.budget));
  }
  return std::move(list).complete(std::move(values));
}

}  // namespace pith
