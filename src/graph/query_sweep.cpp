#include "graph/query_sweep.h"

#include <limits>
#include <memory>

#include "base/parallel.h"

namespace pith {
namespace {

constexpr std::size_t block = 256;

/// Queries against all rows; candidates a thread.
struct Worker {
  Worker(const NeighborSearch& search, const ScoreFilter& filter, std::span<const Item> queries,
         std::size_t slots)
      : scorer(search.scorer()), table(filter, queries.size(), search.wanted(), slots, true, queries) {}
  ExactScorer scorer;
  CandidateTable table;
  std::vector<float> scratch;
  PackedPanel right;
  TileSide left_side;
  TileSide right_side;
  std::vector<TileHit> hits;
  KernelScratch kernel_scratch;
};

}  // namespace

std::vector<std::vector<ExactScorer::Scored>> exact_nearest_of(const NeighborSearch& search,
                                                               std::span<const Item> queries,
                                                               const Run& run) {
  const TileKernel& kernel = search.kernel();
  const ScoreFilter& filter = search.filter();
  std::vector<Item> items;
  for (const Item query : queries) items.push_back(search.distinct().first[query]);
  const ScoreFilter left_filter(filter, queries, items);
  std::vector<PackedPanel> lefts((queries.size() + block - 1) / block);
  parallel_for(run, lefts.size(), 1, [&](std::size_t at, std::size_t, unsigned) {
    std::vector<float> scratch;
    left_filter.pack_left(at * block, std::min(block, queries.size() - at * block), scratch, lefts[at]);
  });

  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned worker = 0; worker < run.thread_count(); ++worker)
    workers.push_back(
        std::make_unique<Worker>(search, filter, queries, 2 * std::size_t{search.wanted()} + 4));
  const std::vector<float> nobody(block, std::numeric_limits<float>::infinity());
  parallel_for(run, search.rows(), block, [&](std::size_t begin, std::size_t end, unsigned worker) {
    Worker& mine = *workers[worker];
    filter.pack_right(begin, end - begin, mine.scratch, mine.right);
    mine.right_side.assign(filter.offsets() + begin, nobody.data(), end - begin);
    for (std::size_t at = 0; at < lefts.size(); ++at) {
      run.check_cancelled();
      mine.left_side.assign(left_filter.offsets() + at * block, mine.table.bars() + at * block,
                            lefts[at].count);
      mine.hits.clear();
      kernel.find_hits(lefts[at], mine.right, mine.left_side, mine.right_side, mine.hits,
                       mine.kernel_scratch);
      for (const TileHit& hit : mine.hits) {
        const auto query = static_cast<Item>(at * block + hit.row);
        const auto other = static_cast<Item>(begin + hit.column);
        if (other != queries[query]) mine.table.offer(query, other, hit.value, mine.scorer);
      }
    }
  });

  std::vector<std::vector<ExactScorer::Scored>> nearest(queries.size());
  parallel_for(run, queries.size(), 16, [&](std::size_t begin, std::size_t end, unsigned worker) {
    Worker& mine = *workers[worker];
    for (auto query = static_cast<Item>(begin); query < end; ++query) {
      // Each thread saw other rows. The first worker's table takes the rest; nobody else touches this row of
      // it.
      for (std::size_t from = 1; from < workers.size(); ++from)
        for (const auto& c : workers[from]->table.candidates(query))
          workers[0]->table.offer(query, c.row, c.upper, mine.scorer);
      workers[0]->table.finish(query, mine.scorer);
      nearest[query] = mine.scorer.scored;
    }
  });
  return nearest;
}

}  // namespace pith
