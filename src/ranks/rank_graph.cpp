#include "ranks/rank_graph.h"

#include <algorithm>
#include <numeric>

#include "ranks/order_statistic.h"

namespace pith {
namespace {

/// Rows of ghosts asked for at a time, so that what is dropped again never fills memory.
constexpr std::size_t batch = std::size_t{1} << 16;

struct End {
  Item item;
  float dissimilarity;
};

/// An edge of what a rank holds, lower item first.
struct Edge {
  Item low;
  Item high;
  float dissimilarity;
};

/// Neighbours of own items, [begin, end), that others own.
ItemSet find_ghosts(const GraphRows& rows, std::size_t items, std::size_t begin, std::size_t end) {
  ItemSet ghosts(items);
  for (const Item neighbor : rows.neighbors)
    if (neighbor < begin || neighbor >= end) ghosts.insert(neighbor);
  ghosts.count_up();
  return ghosts;
}

/// For every ghost the own items it is a neighbour of, ascending.
struct OwnNeighbors {
  OwnNeighbors(const GraphRows& rows, const ItemSet& ghosts) : offsets(std::size_t{ghosts.size()} + 1, 0) {
    for (const Item neighbor : rows.neighbors)
      if (const auto place = ghosts.place_of(neighbor)) ++offsets[*place + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    own.resize(offsets.back());
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (const Item neighbor : rows.row(row))
        if (const auto place = ghosts.place_of(neighbor)) own[next[*place]++] = static_cast<Item>(row);
  }
  [[nodiscard]] bool share_one(std::size_t a, std::size_t b) const noexcept {
    std::uint64_t x = offsets[a];
    std::uint64_t y = offsets[b];
    while (x < offsets[a + 1] && y < offsets[b + 1]) {
      if (own[x] == own[y]) return true;
      own[x] < own[y] ? ++x : ++y;
    }
    return false;
  }

  std::vector<std::uint64_t> offsets;
  std::vector<Item> own;
};

/// Asks the owners for the rows of ghosts, batch by batch, and calls visit(place, row) for each.
template <class Visit>
void fetch_rows(Communicator& ranks, const RowBlocks& blocks, const GraphRows& rows,
                const std::vector<Item>& ghosts, Visit visit) {
  const auto size = static_cast<std::size_t>(ranks.size());
  const std::size_t begin = blocks.begin(ranks.rank());
  const std::size_t own_batches = (ghosts.size() + batch - 1) / batch;
  const auto batches = static_cast<std::size_t>(largest_of(ranks, static_cast<double>(own_batches)));
  for (std::size_t at = 0; at < batches; ++at) {
    const std::size_t first = std::min(ghosts.size(), at * batch);
    const std::size_t last = std::min(ghosts.size(), first + batch);
    std::vector<std::vector<Item>> asked(size);
    for (std::size_t ghost = first; ghost < last; ++ghost)
      asked[static_cast<std::size_t>(blocks.owner(ghosts[ghost]))].push_back(ghosts[ghost]);
    const std::vector<std::vector<Item>> wanted = swap_between(ranks, asked);
    std::vector<std::vector<std::uint32_t>> degrees(size);
    std::vector<std::vector<End>> ends(size);
    for (std::size_t to = 0; to < size; ++to)
      for (const Item item : wanted[to]) {
        const std::size_t row = item - begin;
        degrees[to].push_back(static_cast<std::uint32_t>(rows.offsets[row + 1] - rows.offsets[row]));
        for (std::uint64_t edge = rows.offsets[row]; edge < rows.offsets[row + 1]; ++edge)
          ends[to].push_back({rows.neighbors[edge], rows.dissimilarities[edge]});
      }
    const auto their_degrees = swap_between(ranks, degrees);
    const auto their_ends = swap_between(ranks, ends);
    // Owners hold consecutive items, so ghosts in ascending order come owner by owner.
    std::size_t ghost = first;
    for (std::size_t from = 0; from < size; ++from) {
      std::size_t next = 0;
      for (const std::uint32_t degree : their_degrees[from]) {
        visit(ghost++, std::span(their_ends[from]).subspan(next, degree));
        next += degree;
      }
    }
  }
}

Graph graph_of(const std::vector<Edge>& edges, std::size_t items, const GraphInfo& info,
               std::optional<double> median) {
  std::vector<std::uint64_t> offsets(items + 1, 0);
  for (const Edge& edge : edges) {
    ++offsets[edge.low + 1];
    ++offsets[edge.high + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<End> ends(offsets.back());
  std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
  for (const Edge& edge : edges) {
    ends[next[edge.low]++] = {edge.high, edge.dissimilarity};
    ends[next[edge.high]++] = {edge.low, edge.dissimilarity};
  }
  for (std::size_t item = 0; item < items; ++item)
    std::sort(ends.begin() + static_cast<std::ptrdiff_t>(offsets[item]),
              ends.begin() + static_cast<std::ptrdiff_t>(offsets[item + 1]),
              [](const End& a, const End& b) { return a.item < b.item; });
  std::vector<Item> neighbors(ends.size());
  std::vector<float> dissimilarities(ends.size());
  for (std::size_t at = 0; at < ends.size(); ++at) {
    neighbors[at] = ends[at].item;
    dissimilarities[at] = ends[at].dissimilarity;
  }
  return Graph::of_rows(info, std::move(offsets), std::move(neighbors), std::move(dissimilarities), {},
                        median);
}

/// Median of the edge lengths of all ranks, as Graph has it: every edge stands in two rows.
double median_across(Communicator& ranks, std::vector<float> lengths) {
  std::sort(lengths.begin(), lengths.end());
  const std::uint64_t count = sum_of(ranks, lengths.size());
  if (count == 0) return 0;
  const auto upper = static_cast<double>(order_statistic(ranks, lengths, count / 2));
  if (count % 2 == 1) return upper;
  return (static_cast<double>(order_statistic(ranks, lengths, count / 2 - 1)) + upper) / 2;
}

}  // namespace

RankGraph::RankGraph(Communicator& ranks, const RowBlocks& blocks, const GraphRows& rows,
                     const GraphInfo& info, Reach reach, std::optional<double> median_length)
    : blocks_(blocks), rank_(ranks.rank()), reach_(reach) {
  const std::size_t begin = blocks.begin(rank_);
  const std::size_t end = blocks.end(rank_);
  const ItemSet ghost_set = find_ghosts(rows, blocks.items(), begin, end);
  const std::vector<Item> ghosts = ghost_set.items();
  const bool second = reach == Reach::second_neighbors;
  std::vector<Edge> edges;
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::uint64_t at = rows.offsets[row]; at < rows.offsets[row + 1]; ++at) {
      const auto item = static_cast<Item>(begin + row);
      const Item other = rows.neighbors[at];
      const bool own = other >= begin && other < end;
      if (own && other < item) continue;  // it stands in the other's row too
      edges.push_back({std::min(item, other), std::max(item, other), rows.dissimilarities[at]});
    }
  {
    const OwnNeighbors nearby(rows, ghost_set);
    fetch_rows(ranks, blocks, rows, ghosts, [&](std::size_t place, std::span<const End> row) {
      for (const auto& [other, dissimilarity] : row) {
        if (other >= begin && other < end) continue;
        const auto its_place = ghost_set.place_of(other);
        if (its_place && *its_place < place) continue;
        if (second || (its_place && nearby.share_one(place, *its_place)))
          edges.push_back({std::min(ghosts[place], other), std::max(ghosts[place], other), dissimilarity});
      }
    });
  }

  here_ = ItemSet(blocks.items());
  for (std::size_t item = begin; item < end; ++item) here_.insert(static_cast<Item>(item));
  for (const Item ghost : ghosts) here_.insert(ghost);
  if (second)
    for (const Edge& edge : edges) {
      here_.insert(edge.low);
      here_.insert(edge.high);
    }
  here_.count_up();
  item_of_ = here_.items();
  own_count_ = static_cast<Item>(end - begin);
  own_begin_ = own_count_ == 0 ? 0 : *here_.place_of(static_cast<Item>(begin));

  for (Edge& edge : edges) {
    edge.low = *here_.place_of(edge.low);
    edge.high = *here_.place_of(edge.high);
  }
  edges_ = sum_of(ranks, rows.neighbors.size()) / 2;
  if (info.metric != Metric::cosine && !median_length)
    median_length = median_across(ranks, rows.dissimilarities);
  graph_ = graph_of(edges, item_of_.size(), info, median_length);
}

void RankGraph::influenced(Item local, std::vector<Item>& out) const {
  const auto neighbors = graph_.neighbors(local);
  out.insert(out.end(), neighbors.begin(), neighbors.end());
  if (reach_ == Reach::neighbors) return;
  for (const Item neighbor : neighbors) {
    const auto second = graph_.neighbors(neighbor);
    out.insert(out.end(), second.begin(), second.end());
  }
}

void RankGraph::subscribers(Item local, std::vector<int>& out) const {
  out.clear();
  const auto note = [&](Item other) {
    const int owner = blocks_.owner(item_of_[other]);
    if (owner != rank_ && std::find(out.begin(), out.end(), owner) == out.end()) out.push_back(owner);
  };
  for (const Item neighbor : graph_.neighbors(local)) {
    note(neighbor);
    if (reach_ == Reach::second_neighbors)
      for (const Item other : graph_.neighbors(neighbor)) note(other);
  }
}

}  // namespace pith
