#pragma once

#include <optional>
#include <vector>

#include "pith/graph.h"
#include "pith/term.h"
#include "ranks/communicator.h"
#include "ranks/item_set.h"
#include "ranks/row_blocks.h"

namespace pith {

/// Some consecutive rows of the undirected graph, neighbours by their item.
struct GraphRows {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<Item> neighbors;
  std::vector<float> dissimilarities;

  [[nodiscard]] std::size_t size() const noexcept { return offsets.size() - 1; }
  [[nodiscard]] std::span<const Item> row(std::size_t at) const noexcept {
    return std::span(neighbors).subspan(offsets[at], offsets[at + 1] - offsets[at]);
  }
};

/// What one rank holds of the graph: its own items with all their edges, the neighbours of these ("ghosts"),
/// and of the edges between ghosts those that close a triangle with an own item, or, where gains reach second
/// neighbours, all edges of ghosts. Hence every edge and triangle at an own item is there as in the whole
/// graph. Items here are numbered anew, in the same order; `item_of` says which ones they are.
class RankGraph {
 public:
  /// Collective. `rows`: those of this rank's block. `median_length`: of another graph, whose similarities
  /// these edges are to have.
  RankGraph(Communicator& ranks, const RowBlocks& blocks, const GraphRows& rows, const GraphInfo& info,
            Reach reach, std::optional<double> median_length = {});

  [[nodiscard]] const Graph& graph() const noexcept { return graph_; }
  [[nodiscard]] const RowBlocks& blocks() const noexcept { return blocks_; }
  [[nodiscard]] std::size_t size() const noexcept { return item_of_.size(); }
  [[nodiscard]] Item item_of(Item local) const noexcept { return item_of_[local]; }
  [[nodiscard]] const std::vector<Item>& items() const noexcept { return item_of_; }
  [[nodiscard]] bool owns(Item local) const noexcept {
    return local >= own_begin_ && local < own_begin_ + own_count_;
  }
  [[nodiscard]] Item own_begin() const noexcept { return own_begin_; }
  [[nodiscard]] Item own_end() const noexcept { return own_begin_ + own_count_; }
  [[nodiscard]] std::optional<Item> local_of(Item item) const noexcept { return here_.place_of(item); }
  /// Edges of the whole graph.
  [[nodiscard]] std::uint64_t edges() const noexcept { return edges_; }

  /// Appends the items here whose gains may depend on whether `local` is in S. Complete for own items.
  void influenced(Item local, std::vector<Item>& out) const;
  /// Ranks, this one apart, that hold an own item as a ghost.
  void subscribers(Item local, std::vector<int>& out) const;

 private:
  RowBlocks blocks_;
  int rank_;
  Reach reach_;
  ItemSet here_;
  std::vector<Item> item_of_;  ///< the same, ascending
  Item own_begin_ = 0;
  Item own_count_ = 0;
  std::uint64_t edges_ = 0;
  Graph graph_;
};

}  // namespace pith
