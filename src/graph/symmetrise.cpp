#include "graph/symmetrise.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <utility>

#include "base/parallel.h"

namespace pith {
namespace {

struct End {
  Item item;
  float dissimilarity;
  friend bool operator<(const End& a, const End& b) noexcept { return a.item < b.item; }
};

constexpr std::size_t chunk = 256;

/// Dissimilarities are never negative: the sign of an entry i -> j is free to say that j does not list i.
void mark_unreturned(float& dissimilarity) noexcept {
  dissimilarity = -dissimilarity;
}
bool is_returned(float dissimilarity) noexcept {
  return !std::signbit(dissimilarity);
}

}  // namespace

Graph symmetrise(NeighborLists lists, GraphInfo info, const Run& run) {
  const std::size_t n = lists.n;
  const std::size_t k = lists.k;
  const bool mutual = info.symmetry == Symmetry::mutual;
  const auto list_of = [&](std::size_t item) { return std::span(lists.items).subspan(item * k, k); };
  const auto lists_item = [&](Item who, Item whom) {
    const auto list = list_of(who);
    return std::find(list.begin(), list.end(), whom) != list.end();
  };
  // An entry i -> j that j does not return is an edge for `either`, which then j's row must gain, and none
  // for `mutual`.
  std::vector<std::atomic<std::uint32_t>> degrees(n);
  const auto add = [&](Item item, std::uint32_t count) {
    return degrees[item].fetch_add(count, std::memory_order_relaxed);
  };
  parallel_for(run, n, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (auto i = static_cast<Item>(begin); i < end; ++i) {
      std::uint32_t kept = 0;
      for (std::size_t at = i * k; at < (i + std::size_t{1}) * k; ++at) {
        const Item j = lists.items[at];
        const bool returned = lists_item(j, i);
        kept += static_cast<std::uint32_t>(!mutual || returned);
        if (returned) continue;
        mark_unreturned(lists.dissimilarities[at]);
        if (!mutual) add(j, 1);
      }
      add(i, kept);
    }
  });

  std::vector<std::uint64_t> offsets(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    offsets[i + 1] = offsets[i] + degrees[i].load(std::memory_order_relaxed);
    degrees[i].store(0, std::memory_order_relaxed);
  }
  // Rows fill in any order and are sorted after: neighbours in a row are distinct, so there is one sorted
  // order.
  std::vector<Item> neighbors(offsets[n]);
  std::vector<float> dissimilarities(offsets[n]);
  const auto put = [&](Item item, const End& end) {
    const std::uint64_t at = offsets[item] + add(item, 1);
    neighbors[at] = end.item;
    dissimilarities[at] = end.dissimilarity;
  };
  parallel_for(run, n, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (auto i = static_cast<Item>(begin); i < end; ++i)
      for (std::size_t at = i * k; at < (i + std::size_t{1}) * k; ++at) {
        const Item j = lists.items[at];
        const float dissimilarity = std::fabs(lists.dissimilarities[at]);
        const bool returned = is_returned(lists.dissimilarities[at]);
        if (mutual && !returned) continue;
        put(i, {j, dissimilarity});
        if (!returned) put(j, {i, dissimilarity});
      }
  });
  parallel_for(run, n, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    std::vector<End> row;
    for (std::size_t i = begin; i < end; ++i) {
      row.clear();
      for (std::uint64_t at = offsets[i]; at < offsets[i + 1]; ++at)
        row.push_back({neighbors[at], dissimilarities[at]});
      std::sort(row.begin(), row.end());
      for (std::size_t at = 0; at < row.size(); ++at) {
        neighbors[offsets[i] + at] = row[at].item;
        dissimilarities[offsets[i] + at] = row[at].dissimilarity;
      }
    }
  });
  // The union holds every list, so that the nearest of a row are its list; the intersection does not.
  const bool keep_lists = mutual && info.method == "exact";
  // Before the graph of l2 or l1 copies all lengths to find their median: lists, rows and copy at once are
  // more than neighbor_memory() says.
  std::vector<float>().swap(lists.dissimilarities);
  if (!keep_lists) std::vector<Item>().swap(lists.items);
  return Graph::of_rows(std::move(info), std::move(offsets), std::move(neighbors), std::move(dissimilarities),
                        std::move(lists.items));
}

}  // namespace pith
