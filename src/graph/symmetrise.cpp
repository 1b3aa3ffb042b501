#include "graph/symmetrise.h"

#include <algorithm>
#include <atomic>
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
  std::vector<std::uint8_t> returned(n * k);
  std::vector<std::atomic<std::uint32_t>> degrees(n);
  const auto add = [&](Item item, std::uint32_t count) {
    return degrees[item].fetch_add(count, std::memory_order_relaxed);
  };
  parallel_for(run, n, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (auto i = static_cast<Item>(begin); i < end; ++i) {
      std::uint32_t kept = 0;
      for (std::size_t at = i * k; at < (i + std::size_t{1}) * k; ++at) {
        const Item j = lists.items[at];
        returned[at] = static_cast<std::uint8_t>(lists_item(j, i));
        kept += static_cast<std::uint32_t>(!mutual || returned[at] != 0);
        if (!mutual && returned[at] == 0) add(j, 1);
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
  std::vector<End> ends(offsets[n]);
  parallel_for(run, n, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (auto i = static_cast<Item>(begin); i < end; ++i)
      for (std::size_t at = i * k; at < (i + std::size_t{1}) * k; ++at) {
        const Item j = lists.items[at];
        if (mutual && returned[at] == 0) continue;
        ends[offsets[i] + add(i, 1)] = {j, lists.dissimilarities[at]};
        if (!mutual && returned[at] == 0) ends[offsets[j] + add(j, 1)] = {i, lists.dissimilarities[at]};
      }
  });
  std::vector<Item> neighbors(offsets[n]);
  std::vector<float> dissimilarities(offsets[n]);
  parallel_for(run, n, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i)
      std::sort(ends.begin() + static_cast<std::ptrdiff_t>(offsets[i]),
                ends.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]));
    for (std::size_t at = offsets[begin]; at < offsets[end]; ++at) {
      neighbors[at] = ends[at].item;
      dissimilarities[at] = ends[at].dissimilarity;
    }
  });
  // The union holds every list, so that the nearest of a row are its list; the intersection does not.
  const bool keep_lists = mutual && info.method == "exact";
  return Graph::of_rows(std::move(info), std::move(offsets), std::move(neighbors), std::move(dissimilarities),
                        keep_lists ? std::move(lists.items) : std::vector<Item>{});
}

}  // namespace pith
