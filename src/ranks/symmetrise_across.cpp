#include "ranks/symmetrise_across.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>

namespace pith {
namespace {

struct End {
  Item item = 0;
  float dissimilarity = 0;
};
bool lower(const End& a, const End& b) noexcept {
  return a.item < b.item;
}

/// `from` lists `to`.
struct Entry {
  Item to = 0;
  Item from = 0;
  float dissimilarity = 0;
};

/// Who lists the rows of one rank, row by row.
class Listing {
 public:
  Listing(Communicator& ranks, const RowBlocks& blocks, const NeighborLists& lists)
      : begin_(blocks.begin(ranks.rank())), end_(blocks.end(ranks.rank())) {
    std::vector<Packet> outgoing(static_cast<std::size_t>(ranks.size()));
    for_each(lists, [&](const Entry& entry) {
      if (!owns(entry.to)) append_value(outgoing[static_cast<std::size_t>(blocks.owner(entry.to))], entry);
    });
    std::vector<Packet> incoming = ranks.all_to_all(std::move(outgoing));

    starts_.assign(end_ - begin_ + 1, 0);
    const auto count = [&](const Entry& entry) { ++starts_[entry.to - begin_ + 1]; };
    for (const Packet& packet : incoming) for_each(packet, count);
    for_each(lists, [&](const Entry& entry) {
      if (owns(entry.to)) count(entry);
    });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    ends_.resize(starts_.back());
    std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
    const auto place = [&](const Entry& entry) {
      ends_[next[entry.to - begin_]++] = {entry.from, entry.dissimilarity};
    };
    for (Packet& packet : incoming) {
      for_each(packet, place);
      Packet().swap(packet);
    }
    for_each(lists, [&](const Entry& entry) {
      if (owns(entry.to)) place(entry);
    });
  }

  [[nodiscard]] std::span<End> row(std::size_t row) {
    return std::span(ends_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
  }

 private:
  [[nodiscard]] bool owns(Item item) const noexcept { return item >= begin_ && item < end_; }
  template <class Visit>
  void for_each(const NeighborLists& lists, Visit visit) const {
    for (std::size_t at = 0; at < lists.items.size(); ++at)
      visit(Entry{lists.items[at], static_cast<Item>(begin_ + at / lists.k), lists.dissimilarities[at]});
  }
  template <class Visit>
  static void for_each(const Packet& packet, Visit visit) {
    for (std::size_t at = 0; at < packet.size(); at += sizeof(Entry)) {
      Entry entry;
      std::memcpy(&entry, packet.data() + at, sizeof entry);
      visit(entry);
    }
  }

  std::size_t begin_;
  std::size_t end_;
  std::vector<std::uint64_t> starts_;
  std::vector<End> ends_;
};

}  // namespace

GraphRows symmetrise_across(Communicator& ranks, const RowBlocks& blocks, const NeighborLists& lists,
                            Symmetry symmetry) {
  Listing listing(ranks, blocks, lists);
  GraphRows rows;
  std::vector<End> listed;
  std::vector<End> kept;
  for (std::size_t row = 0; row < lists.n; ++row) {
    listed.clear();
    for (std::size_t at = row * lists.k; at < (row + 1) * lists.k; ++at)
      listed.push_back({lists.items[at], lists.dissimilarities[at]});
    std::sort(listed.begin(), listed.end(), lower);
    const std::span<End> by_others = listing.row(row);
    std::sort(by_others.begin(), by_others.end(), lower);
    kept.clear();
    if (symmetry == Symmetry::mutual)
      std::set_intersection(listed.begin(), listed.end(), by_others.begin(), by_others.end(),
                            std::back_inserter(kept), lower);
    else
      std::set_union(listed.begin(), listed.end(), by_others.begin(), by_others.end(),
                     std::back_inserter(kept), lower);
    for (const End& end : kept) {
      rows.neighbors.push_back(end.item);
      rows.dissimilarities.push_back(end.dissimilarity);
    }
    rows.offsets.push_back(rows.neighbors.size());
  }
  return rows;
}

}  // namespace pith
