#include "strategy/pick_list.h"

#include <algorithm>

namespace pith {

PickList::PickList(const StrategyInput& input)
    : input_(input), wanted_(static_cast<std::size_t>(input.budget)), caps_(input.balance) {
  open_.reserve(input.pool.state.size());
  for (const Pool::State state : input.pool.state) open_.push_back(state == Pool::State::candidate ? 1 : 0);
}

void PickList::take(Item item, double score) {
  open_[item] = 0;
  caps_.take(item);
  picks_.push_back({.item = item, .score = score});
}

std::vector<Pick> PickList::complete(std::vector<double> scores) && {
  ModularOracle oracle(std::move(scores));
  return choose_greedily(oracle, input_, std::move(picks_));
}

void sort_by_size(std::vector<PickGroup>& groups) {
  std::stable_sort(groups.begin(), groups.end(),
                   [](const PickGroup& a, const PickGroup& b) { return a.size > b.size; });
}

void pick_in_turns(const std::vector<PickGroup>& groups, PickList& list, const Run& run) {
  std::vector<std::size_t> next(groups.size(), 0);
  bool any = true;
  for (std::size_t round = 0; any && !list.full(); ++round) {
    run.check_cancelled();
    any = false;
    for (std::size_t at = 0; at < groups.size() && !list.full(); ++at) {
      const std::vector<Item>& members = groups[at].members;
      while (next[at] < members.size() && !list.is_open(members[next[at]])) ++next[at];
      if (next[at] == members.size()) continue;
      any = true;
      if (groups[at].labelled <= round) list.take(members[next[at]++], -static_cast<double>(round));
    }
  }
}

}  // namespace pith
