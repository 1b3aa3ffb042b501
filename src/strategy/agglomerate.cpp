#include "strategy/agglomerate.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <unordered_map>

namespace pith {
namespace {

struct Link {
  double average;
  Item lower;  ///< names of the two clusters when it was looked at
  Item higher;
};

struct MergedLater {
  bool operator()(const Link& a, const Link& b) const noexcept {
    if (a.average != b.average) return a.average < b.average;
    return a.lower != b.lower ? a.lower > b.lower : a.higher > b.higher;
  }
};

/// Clusters and the sums of similarities between them. A cluster lives at one of its items (its seat), which
/// the largest table of links keeps, and is named by its last item.
class Clustering {
 public:
  Clustering(const Graph& graph, const Pool& pool, const Run& run)
      : seat_(graph.size()), name_(graph.size()), size_(graph.size(), 1), links_(graph.size()) {
    std::iota(seat_.begin(), seat_.end(), Item{0});
    std::iota(name_.begin(), name_.end(), Item{0});
    for (Item item = 0; item < graph.size(); ++item) {
      if (item % 1024 == 0) run.check_cancelled();
      if (pool.state[item] == Pool::State::excluded) continue;
      const auto neighbors = graph.neighbors(item);
      const auto dissimilarities = graph.dissimilarities(item);
      for (std::size_t at = 0; at < neighbors.size(); ++at)
        if (const double s = graph.similarity(dissimilarities[at]);
            s > 0 && pool.state[neighbors[at]] != Pool::State::excluded)
          links_[item].emplace(neighbors[at], s);
    }
  }

  [[nodiscard]] Item seat_of(Item item) noexcept {
    while (seat_[item] != item) item = seat_[item] = seat_[seat_[item]];
    return item;
  }
  [[nodiscard]] Item name_of(Item item) noexcept { return name_[seat_of(item)]; }

  [[nodiscard]] Link link(Item a, Item b) const {
    const auto& [small, other] = links_[a].size() < links_[b].size() ? std::pair(a, b) : std::pair(b, a);
    const double sum = links_[small].at(other);
    return {sum / (static_cast<double>(size_[a]) * static_cast<double>(size_[b])),
            std::min(name_[a], name_[b]), std::max(name_[a], name_[b])};
  }

  void merge(Item a, Item b) {
    if (links_[a].size() < links_[b].size()) std::swap(a, b);
    links_[a].erase(b);
    links_[b].erase(a);
    for (const auto& [other, sum] : links_[b]) {
      links_[a][other] += sum;
      links_[other].erase(b);
      links_[other][a] += sum;
    }
    std::unordered_map<Item, double>().swap(links_[b]);
    seat_[b] = a;
    size_[a] += size_[b];
    name_[a] = std::max(name_[a], name_[b]);
  }

  /// All links there are at the beginning.
  [[nodiscard]] std::vector<Link> all_links(const Run& run) const {
    std::vector<Link> all;
    for (Item item = 0; item < links_.size(); ++item) {
      if (item % 1024 == 0) run.check_cancelled();
      for (const auto& [other, sum] : links_[item])
        if (item < other) all.push_back({sum, item, other});
    }
    return all;
  }

 private:
  std::vector<Item> seat_;
  std::vector<Item> name_;
  std::vector<std::size_t> size_;
  std::vector<std::unordered_map<Item, double>> links_;
};

}  // namespace

std::vector<Item> agglomerate(const Graph& graph, const Pool& pool, std::size_t clusters, const Run& run) {
  const std::size_t n = graph.size();
  const std::size_t items = pool.candidates() + pool.labelled.size();
  Clustering clustering(graph, pool, run);
  std::priority_queue<Link, std::vector<Link>, MergedLater> queue(MergedLater{}, clustering.all_links(run));
  std::size_t left = items;
  for (std::size_t step = 0; left > clusters && !queue.empty(); ++step) {
    // Merging two large clusters takes all of their links.
    if (step % 16 == 0) run.check_cancelled();
    if (step % 4096 == 0)
      run.report("agglomerating", static_cast<double>(items - left), static_cast<double>(items - clusters));
    const Link old = queue.top();
    queue.pop();
    const Item a = clustering.seat_of(old.lower);
    const Item b = clustering.seat_of(old.higher);
    if (a == b) continue;
    const Link now = clustering.link(a, b);
    if (now.average == old.average && now.lower == old.lower && now.higher == old.higher) {
      clustering.merge(a, b);
      --left;
    } else {
      queue.push(now);
    }
  }
  std::vector<Item> cluster_of(n);
  for (Item item = 0; item < n; ++item) cluster_of[item] = clustering.name_of(item);
  return cluster_of;
}

}  // namespace pith
