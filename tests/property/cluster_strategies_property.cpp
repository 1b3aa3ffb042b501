#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/rng.h"
#include "strategy/agglomerate.h"
#include "strategy/typiclust.h"
#include "support/strategy_twins.h"

// Strategies on clusters and balls of the graph, against slow versions that count everything anew.
namespace pith {
namespace {

using testing::for_seeds;
using testing::StrategyData;
using testing::TwinCase;

double similarity_of(const Graph& graph, Item a, Item b) {
  const auto neighbors = graph.neighbors(a);
  for (std::size_t at = 0; at < neighbors.size(); ++at)
    if (neighbors[at] == b) return graph.similarity(graph.dissimilarities(a)[at]);
  return 0;
}

/// Average linkage, every average from scratch before every merge.
std::vector<Item> naive_agglomeration(const Graph& graph, std::size_t wanted,
                                      const std::vector<Item>& excluded = {}) {
  std::map<Item, std::set<Item>> clusters;  // by their last item
  for (Item item = 0; item < graph.size(); ++item)
    if (std::find(excluded.begin(), excluded.end(), item) == excluded.end()) clusters[item] = {item};
  while (clusters.size() > wanted) {
    double best = 0;
    std::pair<Item, Item> closest;
    for (const auto& [a, of_a] : clusters)
      for (const auto& [b, of_b] : clusters) {
        if (a >= b) continue;
        double sum = 0;
        for (const Item x : of_a)
          for (const Item y : of_b) sum += similarity_of(graph, x, y);
        const double average = sum / (static_cast<double>(of_a.size()) * static_cast<double>(of_b.size()));
        if (average > best) {
          best = average;
          closest = {a, b};
        }
      }
    if (best == 0) break;
    clusters[closest.second].merge(clusters[closest.first]);
    clusters.erase(closest.first);
  }
  std::vector<Item> cluster_of(graph.size());
  std::iota(cluster_of.begin(), cluster_of.end(), Item{0});  // who is excluded stays alone
  for (const auto& [name, members] : clusters)
    for (const Item item : members) cluster_of[item] = name;
  return cluster_of;
}

Graph small_graph(const StrategyData& data, std::uint64_t seed) {
  GraphOptions options;
  options.metric = static_cast<Metric>(seed % 3);
  options.neighbors =
      data.n > 1 ? static_cast<std::uint32_t>(1 + seed % std::min<std::size_t>(5, data.n - 1)) : 1;
  return build_graph(data.input.embeddings, options);
}

TEST(cluster_strategies_property, agglomeration_is_average_linkage) {
  for_seeds(120, [](std::uint64_t seed) {
    const StrategyData data(seed, 24);
    if (data.n < 2) return;
    const Graph graph = small_graph(data, seed);
    const std::size_t wanted = 1 + seed % data.n;
    ASSERT_EQ(agglomerate(graph, Pool::of_all(data.n), wanted, {}), naive_agglomeration(graph, wanted));
  });
}

TEST(cluster_strategies_property, excluded_items_are_no_part_of_any_cluster) {
  for_seeds(60, [](std::uint64_t seed) {
    const StrategyData data(seed, 24);
    if (data.n < 4) return;
    const Graph graph = small_graph(data, seed);
    Pool pool = Pool::of_all(data.n);
    std::size_t excluded = 0;
    for (Item item = 0; item < data.n; ++item)
      if ((item * 7 + seed) % 3 == 0) {
        pool.state[item] = Pool::State::excluded;
        ++excluded;
      }
    const std::size_t wanted = 1 + seed % (data.n - excluded);
    const std::vector<Item> cluster_of = agglomerate(graph, pool, wanted, {});
    std::set<Item> clusters;
    for (Item item = 0; item < data.n; ++item) {
      if (pool.state[item] == Pool::State::excluded) {
        ASSERT_EQ(cluster_of[item], item);
      } else {
        clusters.insert(cluster_of[item]);
        ASSERT_NE(pool.state[cluster_of[item]], Pool::State::excluded);
      }
    }
    ASSERT_GE(clusters.size(), wanted);
  });
}

/// Clusters in turns: of those with fewest chosen the largest, ties to the one that stands first; of it the
/// item that is wanted most, ties to the lower index.
struct Turns {
  std::vector<std::vector<Item>> clusters;  ///< labelled items and all
  std::vector<double> wanted;               ///< of every item

  [[nodiscard]] std::vector<Item> picks(const TwinCase& twin) const {
    testing::ClassRoom room(twin.data, twin.selection);
    std::vector<std::size_t> chosen(clusters.size(), 0);
    for (std::size_t c = 0; c < clusters.size(); ++c)
      for (const Item item : clusters[c]) chosen[c] += twin.data.is_labelled(item) ? 1 : 0;
    std::vector<Item> found;
    const auto best_of = [&](std::size_t c) {
      std::optional<Item> best;
      for (const Item item : clusters[c])
        if (twin.data.is_candidate(item) && room.admits(item) &&
            std::find(found.begin(), found.end(), item) == found.end() &&
            (!best || wanted[item] > wanted[*best] || (wanted[item] == wanted[*best] && item < *best)))
          best = item;
      return best;
    };
    while (found.size() < twin.picks().size()) {
      std::optional<std::size_t> next;
      for (std::size_t c = 0; c < clusters.size(); ++c) {
        if (!best_of(c)) continue;
        if (!next || chosen[c] < chosen[*next] ||
            (chosen[c] == chosen[*next] && clusters[c].size() > clusters[*next].size()))
          next = c;
      }
      if (!next) break;
      const Item item = *best_of(*next);
      ++chosen[*next];
      room.take(item);
      found.push_back(item);
    }
    return found;
  }
};

TEST(cluster_strategies_property, agglomerative_takes_turns_through_the_clusters) {
  for_seeds(120, [](std::uint64_t seed) {
    const TwinCase twin("agglomerative", seed, 24);
    const std::vector<Item> cluster_of = naive_agglomeration(
        twin.graph(), twin.picks().size() + twin.data.input.labelled.size(), twin.data.input.excluded);
    Turns turns;
    std::map<Item, std::vector<Item>> by_name;
    for (Item item = 0; item < twin.data.n; ++item) {
      if (!twin.data.is_excluded(item)) by_name[cluster_of[item]].push_back(item);
      double ties = 0;
      for (Item other = 0; other < twin.data.n; ++other)
        if (cluster_of[other] == cluster_of[item]) ties += similarity_of(twin.graph(), item, other);
      turns.wanted.push_back(ties);
    }
    for (const auto& [name, members] : by_name) turns.clusters.push_back(members);
    ASSERT_EQ(twin.picks(), turns.picks(twin));
  });
}

TEST(cluster_strategies_property, typiclust_takes_the_typical_of_every_cluster) {
  for_seeds(200, [](std::uint64_t seed) {
    const TwinCase twin("typiclust", seed);
    Pool pool = Pool::of_all(twin.data.n);
    for (const Item item : twin.data.input.excluded) pool.state[item] = Pool::State::excluded;
    pool.labelled = twin.data.input.labelled;
    const Balance none;
    const pith::Run run;
    const StrategyInput input{.embeddings = &twin.data.input.embeddings,
                              .predictions = twin.data.input.predictions,
                              .probabilities = twin.data.input.probabilities,
                              .balance = none,
                              .pool = pool,
                              .budget = static_cast<std::int64_t>(twin.picks().size()),
                              .metric = twin.metric(),
                              .special = twin.options.special,
                              .run = run};
    Turns turns;
    turns.clusters = cluster_by_means(input);
    std::vector<int> times(twin.data.n, 0);
    for (const auto& cluster : turns.clusters)
      for (const Item item : cluster) ++times[item];
    for (Item item = 0; item < twin.data.n; ++item)
      ASSERT_EQ(times[item], twin.data.is_excluded(item) ? 0 : 1);
    // Typicality from all pairs: an item's neighbours are its nearest, so no graph is needed to tell.
    for (Item item = 0; item < twin.data.n; ++item) {
      std::vector<double> lengths;
      for (Item other = 0; other < twin.data.n; ++other)
        if (other != item)
          lengths.push_back(twin.graph().length(stored_dissimilarity(twin.dissimilarity_of(item, other))));
      std::sort(lengths.begin(), lengths.end());
      lengths.resize(std::min<std::size_t>(lengths.size(), 10));
      double sum = 0;
      for (const double length : lengths) sum += length;
      turns.wanted.push_back(lengths.empty() ? 0 : -sum / static_cast<double>(lengths.size()));
    }
    ASSERT_EQ(twin.picks(), turns.picks(twin));
  });
}

/// k-means that works: items of well separated heaps share a cluster exactly with their heap.
TEST(cluster_strategies_property, clusters_by_means_find_separate_heaps) {
  StrategyData data(2, 200);
  while (data.n < 60) data = StrategyData(data.n + 900, 200);
  data.input.labelled.clear();
  data.input.excluded.clear();
  data.dimension = 2;
  std::vector<float> rows;
  Rng rng(4);
  for (std::size_t item = 0; item < data.n; ++item) {
    const auto heap = static_cast<float>(item % 2);
    rows.push_back(100 * heap + static_cast<float>(rng.unit()));
    rows.push_back(-50 * heap + static_cast<float>(rng.unit()));
  }
  data.use_rows(rows);
  const Pool pool = Pool::of_all(data.n);
  const Balance none;
  const pith::Run run;
  const StrategyOptions special;
  const StrategyInput input{.embeddings = &data.input.embeddings,
                            .predictions = data.input.predictions,
                            .probabilities = data.input.probabilities,
                            .balance = none,
                            .pool = pool,
                            .budget = 8,
                            .metric = Metric::l2,
                            .special = special,
                            .run = run};
  const auto clusters = cluster_by_means(input);
  ASSERT_EQ(clusters.size(), 8U);
  for (const auto& cluster : clusters)
    for (const Item item : cluster) ASSERT_EQ(item % 2, cluster.front() % 2);
}

TEST(cluster_strategies_property, cluster_margin_takes_turns_among_the_uncertain) {
  for_seeds(150, [](std::uint64_t seed) {
    const TwinCase twin("cluster-margin", seed, 24);
    const std::size_t budget = twin.picks().size();
    const std::vector<double>& margin = twin.data.input.predictions.margin;
    std::vector<Item> order;
    for (Item item = 0; item < twin.data.n; ++item)
      if (twin.data.is_candidate(item)) order.push_back(item);
    std::stable_sort(order.begin(), order.end(), [&](Item a, Item b) { return margin[a] > margin[b]; });
    const std::vector<Item> all = order;
    order.resize(std::min(order.size(), (5 * budget + 3) / 4));
    const std::vector<Item> cluster_of = naive_agglomeration(twin.graph(), budget, twin.data.input.excluded);
    std::map<Item, std::vector<Item>> by_name;
    for (const Item item : order) by_name[cluster_of[item]].push_back(item);
    std::vector<std::vector<Item>> groups;
    for (const auto& [name, members] : by_name) groups.push_back(members);
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
    testing::ClassRoom room(twin.data, twin.selection);
    std::vector<Item> expected;
    for (bool any = true; any && expected.size() < budget;) {
      any = false;
      for (std::vector<Item>& group : groups) {
        std::erase_if(group, [&](Item item) { return !room.admits(item); });
        if (group.empty() || expected.size() == budget) continue;
        const auto drawn = std::max_element(group.begin(), group.end(), [&](Item a, Item b) {
          return random_unit(seed, a) < random_unit(seed, b);
        });
        expected.push_back(*drawn);
        room.take(*drawn);
        group.erase(drawn);
        any = true;
      }
    }
    for (const Item item : all)
      if (expected.size() < budget && room.admits(item) &&
          std::find(expected.begin(), expected.end(), item) == expected.end()) {
        expected.push_back(item);
        room.take(item);
      }
    ASSERT_EQ(twin.picks(), expected);
  });
}

TEST(cluster_strategies_property, prob_cover_covers_most) {
  for_seeds(250, [](std::uint64_t seed) {
    const TwinCase twin(StrategyData(seed, 45), "prob-cover", seed, [](SelectOptions& options) {
      if (options.seed % 2 == 1) options.special.radius = static_cast<double>(options.seed % 7) / 3;
    });
    const Graph& graph = twin.graph();
    const auto length = [&](Item a, Item b) {
      const auto neighbors = graph.neighbors(a);
      for (std::size_t at = 0; at < neighbors.size(); ++at)
        if (neighbors[at] == b) return graph.length(graph.dissimilarities(a)[at]);
      return std::numeric_limits<double>::infinity();
    };
    // Without a radius given: all radii that edges suggest, the largest with at most 5% of balls impure.
    const auto impure = [&](double radius) {
      std::size_t count = 0;
      for (Item a = 0; a < twin.data.n; ++a) {
        bool mixed = false;
        for (Item b = 0; b < twin.data.n && !twin.data.is_excluded(a); ++b)
          mixed = mixed || (!twin.data.is_excluded(b) && length(a, b) <= radius &&
                            twin.data.input.predictions.best[a] != twin.data.input.predictions.best[b]);
        count += mixed ? 1 : 0;
      }
      return count;
    };
    double radius = twin.options.special.radius.value_or(-1);
    if (!twin.options.special.radius)
      for (Item a = 0; a < twin.data.n; ++a)
        for (const Item b : graph.neighbors(a))
          if (static_cast<double>(impure(length(a, b))) <=
              std::floor(0.05 * static_cast<double>(twin.data.n - twin.data.input.excluded.size())))
            radius = std::max(radius, length(a, b));
    const auto covers = [&](Item a, Item b) {
      return !twin.data.is_excluded(b) && (a == b || length(a, b) <= radius);
    };
    twin.expect_greedy([&](Item item, const std::vector<Item>& chosen) {
      double newly = 0;
      for (Item other = 0; other < twin.data.n; ++other)
        newly += covers(item, other) && std::none_of(chosen.begin(), chosen.end(),
                                                     [&](Item one) { return covers(one, other); })
                     ? 1
                     : 0;
      return newly + random_unit(seed, item) / 2;
    });
  });
}

}  // namespace
}  // namespace pith
