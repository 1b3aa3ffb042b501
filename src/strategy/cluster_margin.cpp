#include <algorithm>
#include <cmath>
#include <map>

#include "base/rng.h"
#include "strategy/agglomerate.h"
#include "strategy/pick_list.h"

namespace pith {
namespace {

/// Uncertain items among whom the clusters take turns, for each pick.
constexpr double considered_per_pick = 1.25;

/// Candidates by margin score, the most uncertain first, ties to the lower index; no more than considered.
std::vector<Item> most_uncertain(const StrategyInput& input) {
  const std::vector<double>& margin = input.predictions.margin;
  std::vector<Item> items;
  for (Item item = 0; item < input.pool.state.size(); ++item)
    if (input.pool.state[item] == Pool::State::candidate) items.push_back(item);
  std::stable_sort(items.begin(), items.end(), [&](Item a, Item b) { return margin[a] > margin[b]; });
  const auto considered =
      static_cast<std::size_t>(std::ceil(considered_per_pick * static_cast<double>(input.budget)));
  items.resize(std::min(items.size(), considered));
  return items;
}

}  // namespace

/// Cluster-Margin (Citovsky, DeSalvo, Gentile, Karydas, Rajagopalan, Rostamizadeh, Kumar 2021): the most
/// uncertain items, by cluster; clusters take turns, the smallest first, each giving one of its items at
/// random. Clusters by average linkage on the graph, as many as picks.
std::vector<Pick> choose_cluster_margin(const StrategyInput& input) {
  const std::vector<Item> cluster_of =
      agglomerate(*input.graph, input.pool, static_cast<std::size_t>(input.budget), input.run);
  std::map<Item, PickGroup> by_name;
  for (const Item item : most_uncertain(input)) by_name[cluster_of[item]].members.push_back(item);
  std::vector<PickGroup> groups;
  for (auto& [name, group] : by_name) {
    std::sort(group.members.begin(), group.members.end(), [&](Item a, Item b) {
      const double of_a = random_unit(input.seed, a);
      const double of_b = random_unit(input.seed, b);
      return of_a != of_b ? of_a > of_b : a < b;
    });
    groups.push_back(std::move(group));
  }
  std::stable_sort(groups.begin(), groups.end(), [](const PickGroup& a, const PickGroup& b) {
    return a.members.size() < b.members.size();
  });
  PickList list(input);
  pick_in_turns(groups, list, input.run);
  return std::move(list).complete(input.predictions.margin);
}

}  // namespace pith
