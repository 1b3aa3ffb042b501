#include <algorithm>
#include <map>

#include "strategy/agglomerate.h"
#include "strategy/pick_list.h"

namespace pith {
namespace {

/// Of every item, the sum of its similarities to neighbours of its own cluster. Exact, whatever the order.
std::vector<double> ties_within(const Graph& graph, const std::vector<Item>& cluster_of) {
  std::vector<double> ties(graph.size(), 0.0);
  for (Item item = 0; item < graph.size(); ++item) {
    const auto neighbors = graph.neighbors(item);
    const auto dissimilarities = graph.dissimilarities(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at)
      if (cluster_of[neighbors[at]] == cluster_of[item]) ties[item] += graph.similarity(dissimilarities[at]);
  }
  return ties;
}

}  // namespace

/// As many clusters as there are to be picks and labelled items, by average linkage on the graph; the largest
/// cluster first, of each the member most similar to the rest of it. Where a cluster's member is labelled
/// already, or caps refuse all of it, others give a second one.
std::vector<Pick> choose_agglomerative(const StrategyInput& input) {
  const Graph& graph = *input.graph;
  const std::size_t wanted = static_cast<std::size_t>(input.budget) + input.pool.labelled.size();
  const std::vector<Item> cluster_of = agglomerate(graph, input.pool, wanted, input.run);
  std::vector<double> ties = ties_within(graph, cluster_of);

  std::map<Item, PickGroup> by_name;
  for (Item item = 0; item < graph.size(); ++item) {
    if (input.pool.state[item] == Pool::State::excluded) continue;
    PickGroup& group = by_name[cluster_of[item]];
    ++group.size;
    group.labelled += input.pool.state[item] == Pool::State::labelled ? 1 : 0;
    group.members.push_back(item);
  }
  std::vector<PickGroup> groups;
  for (auto& [name, group] : by_name) {
    std::stable_sort(group.members.begin(), group.members.end(),
                     [&](Item a, Item b) { return ties[a] > ties[b]; });
    groups.push_back(std::move(group));
  }
  sort_by_size(groups);
  PickList list(input);
  pick_in_turns(groups, list, input.run);
  return std::move(list).complete(std::move(ties));
}

}  // namespace pith
