#include "ranks/symmetrise_across.h"

#include <algorithm>
#include <iterator>

namespace pith {
namespace {

/// `from` lists `to`.
struct Entry {
  Item to = 0;
  Item from = 0;
  float dissimilarity = 0;
};

bool in_order(const Entry& a, const Entry& b) noexcept {
  return a.to != b.to ? a.to < b.to : a.from < b.from;
}
bool same_edge(const Entry& a, const Entry& b) noexcept {
  return a.to == b.to && a.from == b.from;
}

}  // namespace

GraphRows symmetrise_across(Communicator& ranks, const RowBlocks& blocks, const NeighborLists& lists,
                            Symmetry symmetry) {
  const std::size_t begin = blocks.begin(ranks.rank());
  std::vector<Entry> listed;  // by own items, seen from the row of the one who lists
  std::vector<std::vector<Entry>> outgoing(static_cast<std::size_t>(ranks.size()));
  for (std::size_t at = 0; at < lists.items.size(); ++at) {
    const auto item = static_cast<Item>(begin + at / lists.k);
    const Item other = lists.items[at];
    listed.push_back({item, other, lists.dissimilarities[at]});
    outgoing[static_cast<std::size_t>(blocks.owner(other))].push_back(
        {other, item, lists.dissimilarities[at]});
  }
  std::vector<Entry> listing;  // own items are listed by others
  for (const std::vector<Entry>& from_one : swap_between(ranks, outgoing))
    listing.insert(listing.end(), from_one.begin(), from_one.end());
  std::sort(listed.begin(), listed.end(), in_order);
  std::sort(listing.begin(), listing.end(), in_order);

  std::vector<Entry> kept;
  if (symmetry == Symmetry::mutual) {
    std::set_intersection(listed.begin(), listed.end(), listing.begin(), listing.end(),
                          std::back_inserter(kept), in_order);
  } else {
    std::merge(listed.begin(), listed.end(), listing.begin(), listing.end(), std::back_inserter(kept),
               in_order);
    kept.erase(std::unique(kept.begin(), kept.end(), same_edge), kept.end());
  }
  GraphRows rows;
  auto next = kept.begin();
  for (std::size_t item = begin; item < begin + lists.n; ++item) {
    for (; next != kept.end() && next->to == item; ++next) {
      rows.neighbors.push_back(next->from);
      rows.dissimilarities.push_back(next->dissimilarity);
    }
    rows.offsets.push_back(rows.neighbors.size());
  }
  return rows;
}

}  // namespace pith
