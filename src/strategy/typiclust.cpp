#include "strategy/typiclust.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "graph/blas.h"
#include "graph/cells.h"
#include "graph/kernels/l1_sums.h"
#include "graph/kernels/products_kernel.h"
#include "strategy/pick_list.h"

namespace pith {
namespace {

constexpr std::size_t most_clusters = 500;

}  // namespace

std::vector<std::vector<Item>> cluster_by_means(const StrategyInput& input) {
  const MatrixView& view = input.embeddings->view;
  std::vector<Item> items;
  for (Item item = 0; item < input.pool.state.size(); ++item)
    if (input.pool.state[item] != Pool::State::excluded) items.push_back(item);
  const std::size_t wanted = static_cast<std::size_t>(input.budget) + input.pool.labelled.size();
  const RowFacts facts = survey_rows(view, input.run);
  const SingleThreadedBlas single_threaded_blas;
  const ScoreFilter filter(view, input.metric, facts, items,
                           input.metric == Metric::l1 ? l1_kernel() : blas_kernel(), input.run);
  const Cells cells(filter, blas_kernel(), items.size(), view.cols, filter.largest_prepared(facts.largest),
                    std::min(wanted, most_clusters), input.run);
  const Cells::Members members = cells.members({.places = 1, .gap = 0}, input.run);
  std::vector<std::vector<Item>> clusters(cells.count());
  for (std::size_t cell = 0; cell < cells.count(); ++cell)
    for (const Item row : members.of(cell)) clusters[cell].push_back(items[row]);
  return clusters;
}

std::vector<double> mean_neighbor_lengths(const Graph& graph) {
  std::vector<double> means(graph.size());
  std::vector<double> lengths;
  for (Item item = 0; item < graph.size(); ++item) {
    lengths.clear();
    for (const float d : graph.dissimilarities(item)) lengths.push_back(graph.length(d));
    std::sort(lengths.begin(), lengths.end());
    lengths.resize(std::min<std::size_t>(lengths.size(), graph.info().neighbors));
    // An item without neighbours is typical of nothing.
    means[item] = lengths.empty() ? std::numeric_limits<double>::max()
                                  : std::accumulate(lengths.begin(), lengths.end(), 0.0) /
                                        static_cast<double>(lengths.size());
  }
  return means;
}

/// TypiClust (Hacohen, Dekel, Weinshall 2022): clusters by k-means, as many as there are to be picks and
/// labelled items but no more than 500; next is the most typical item, the one nearest to its neighbours, of
/// the largest cluster among those with the fewest chosen.
std::vector<Pick> choose_typiclust(const StrategyInput& input) {
  std::vector<double> apart = mean_neighbor_lengths(*input.graph);
  std::vector<PickGroup> groups;
  for (std::vector<Item>& cluster : cluster_by_means(input)) {
    PickGroup group{.members = std::move(cluster)};
    group.size = group.members.size();
    for (const Item item : group.members)
      group.labelled += input.pool.state[item] == Pool::State::labelled ? 1 : 0;
    std::stable_sort(group.members.begin(), group.members.end(),
                     [&](Item a, Item b) { return apart[a] < apart[b]; });
    groups.push_back(std::move(group));
  }
  sort_by_size(groups);
  PickList list(input);
  pick_in_turns(groups, list, input.run);
  for (double& a : apart) a = -a;
  return std::move(list).complete(std::move(apart));
}

}  // namespace pith
