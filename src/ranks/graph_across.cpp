#include "ranks/graph_across.h"

#include <algorithm>

#include "graph/build_graph.h"
#include "graph/find_neighbors.h"
#include "graph/with_source.h"
#include "ranks/approximate_across.h"
#include "ranks/rank_input_reader.h"
#include "ranks/ring_neighbors.h"
#include "ranks/symmetrise_across.h"
#include "ranks/together.h"

namespace pith {
namespace {

GraphRows rows_of(const Graph& graph, std::size_t begin, std::size_t end) {
  GraphRows rows;
  for (std::size_t item = begin; item < end; ++item) {
    const auto neighbors = graph.neighbors(static_cast<Item>(item));
    const auto dissimilarities = graph.dissimilarities(static_cast<Item>(item));
    rows.neighbors.insert(rows.neighbors.end(), neighbors.begin(), neighbors.end());
    rows.dissimilarities.insert(rows.dissimilarities.end(), dissimilarities.begin(), dissimilarities.end());
    rows.offsets.push_back(rows.neighbors.size());
  }
  return rows;
}

/// What the first rank knows, everywhere.
void share(Communicator& ranks, GraphInfo& info) {
  info = unpack_info(ranks.broadcast(pack_info(info), 0));
}

NeighborLists lists_by_ring(Communicator& ranks, const RowBlocks& blocks, const Matrix& embeddings,
                            Metric metric, std::uint32_t k, Checkpoints& checkpoints, const Run& run) {
  RingTask task{
      .ranks = ranks, .blocks = blocks, .view = embeddings.view, .metric = metric, .k = k, .run = run};
  if (checkpoints.active()) {
    task.known = checkpoints.load_met(blocks.begin(ranks.rank()), blocks.end(ranks.rank()), k);
    task.met = [&checkpoints, k](const std::vector<MetRows>& known) {
      if (checkpoints.due()) checkpoints.save_met(known, k);
    };
  }
  return with_source(embeddings.source, [&] { return ring_neighbors(task); });
}

}  // namespace

SavedRows find_rows_across(Communicator& ranks, const RowBlocks& blocks, const SelectInput& input,
                           const GraphOptions& options, Checkpoints& checkpoints, const Run& run) {
  const std::size_t begin = blocks.begin(ranks.rank());
  const std::size_t end = blocks.end(ranks.rank());
  if (input.graph) return {rows_of(*input.graph, begin, end), input.graph->info()};
  std::optional<SavedRows> saved = checkpoints.load_rows(begin, end);
  if (saved && std::any_of(saved->rows.neighbors.begin(), saved->rows.neighbors.end(),
                           [&](Item item) { return item >= blocks.items(); }))
    saved.reset();
  if (sum_of(ranks, saved ? 0 : 1) == 0) {
    share(ranks, saved->info);
    return std::move(*saved);
  }
  const Matrix& embeddings = input.embeddings;
  const std::uint32_t k = together(ranks, [&] {
    require_graph_input(embeddings, options);
    return neighbors_asked(embeddings, options);
  });
  GraphInfo info{.neighbors = k,
                 .metric = options.metric,
                 .symmetry = options.symmetry,
                 .method = "exact",
                 .recall = 1.0,
                 .recall_interval = {},
                 .dimension = embeddings.cols(),
                 .fingerprint = {},
                 .reason = {}};
  const auto by_ring = [&] {
    return lists_by_ring(ranks, blocks, embeddings, options.metric, k, checkpoints, run);
  };
  NeighborLists lists;
  if (std::optional<std::string> reason = reason_for_all_pairs(embeddings.view, options, k)) {
    info.reason = std::move(*reason);
    lists = by_ring();
  } else {
    ApproximateNeighbors found = with_source(embeddings.source, [&] {
      return approximate_across(ranks, blocks, embeddings.view, options.metric, k, {.recall = options.recall},
                                checkpoints, run);
    });
    if (found.exact) found.lists = by_ring();
    FoundNeighbors all = told(std::move(found), embeddings.view, options);
    info.method = std::move(all.method);
    info.recall = all.recall;
    info.recall_interval = all.recall_interval;
    info.reason = std::move(all.reason);
    lists = std::move(all.lists);
  }
  info.fingerprint = fingerprint_across(ranks, embeddings.view, run);
  share(ranks, info);
  SavedRows found{symmetrise_across(ranks, blocks, lists, options.symmetry), std::move(info)};
  checkpoints.save_rows(begin, found);
  if (checkpoints.active()) ranks.barrier();
  if (ranks.is_first()) checkpoints.forget_search();
  return found;
}

}  // namespace pith
