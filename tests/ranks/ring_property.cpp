#include <gtest/gtest.h>

#include <tuple>

#include "base/rng.h"
#include "graph/symmetrise.h"
#include "ranks/ring_neighbors.h"
#include "ranks/symmetrise_across.h"
#include "ranks/thread_communicator.h"

namespace pith {
namespace {

/// Rows full of ties: few values, some rows equal, some zero.
std::vector<float> tied_rows(std::size_t n, std::size_t dimension, std::uint64_t seed) {
  Rng rng(seed);
  const std::uint64_t values = 2 + rng.below(40);
  std::vector<float> rows(n * dimension);
  for (float& value : rows) value = static_cast<float>(rng.below(values)) - 1.0F;
  for (std::size_t row = 0; row < n; ++row) {
    const std::uint64_t draw = rng.below(10);
    const std::size_t from = rng.below(n);
    for (std::size_t d = 0; d < dimension; ++d) {
      if (draw == 0) rows[row * dimension + d] = 0;
      if (draw == 1) rows[row * dimension + d] = rows[from * dimension + d];
    }
  }
  return rows;
}

const Run one_thread{.threads = 1, .progress = {}, .cancelled = nullptr};

TEST(ring_property, lists_and_rows_are_those_of_one_machine) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    const std::size_t n = 2 + rng.below(seed % 10 == 0 ? 700 : 60);
    const std::size_t dimension = 1 + rng.below(20);
    const auto k = static_cast<std::uint32_t>(1 + rng.below(std::min<std::size_t>(n - 1, 12)));
    const auto metric = static_cast<Metric>(rng.below(3));
    const auto symmetry = rng.below(2) == 0 ? Symmetry::either : Symmetry::mutual;
    const std::vector<float> values = tied_rows(n, dimension, rng.bits());
    const MatrixView view = MatrixView::of_floats(values.data(), n, dimension);
    const NeighborLists wanted = exact_neighbors(view, metric, k, one_thread);
    GraphInfo info;
    info.symmetry = symmetry;
    const Graph graph = symmetrise(wanted, info, one_thread);
    const std::size_t piece = 1 + rng.below(100);
    run_ranks(1 + static_cast<int>(seed % 8), [&](Communicator& ranks) {
      const RowBlocks blocks(n, ranks.size());
      const NeighborLists found = ring_neighbors({.ranks = ranks,
                                                  .blocks = blocks,
                                                  .view = view,
                                                  .metric = metric,
                                                  .k = k,
                                                  .run = one_thread,
                                                  .piece_rows = piece});
      const std::size_t begin = blocks.begin(ranks.rank());
      ASSERT_EQ(found.items.size(), blocks.count(ranks.rank()) * k);
      for (std::size_t at = 0; at < found.items.size(); ++at) {
        ASSERT_EQ(found.items[at], wanted.items[begin * k + at]) << begin * k + at;
        ASSERT_EQ(found.dissimilarities[at], wanted.dissimilarities[begin * k + at]);
      }
      const GraphRows rows = symmetrise_across(ranks, blocks, found, symmetry);
      ASSERT_EQ(rows.size(), blocks.count(ranks.rank()));
      for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto neighbors = graph.neighbors(static_cast<Item>(begin + row));
        ASSERT_TRUE(
            std::equal(neighbors.begin(), neighbors.end(), rows.row(row).begin(), rows.row(row).end()));
      }
    });
  }
}

/// Work saved at any moment by any number of ranks is a start for any other number.
TEST(ring_property, goes_on_from_what_other_ranks_saved) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Rng rng(seed + 1000);
    const std::size_t n = 10 + rng.below(80);
    const std::size_t dimension = 1 + rng.below(8);
    const auto k = static_cast<std::uint32_t>(1 + rng.below(6));
    const std::vector<float> values = tied_rows(n, dimension, rng.bits());
    const MatrixView view = MatrixView::of_floats(values.data(), n, dimension);
    const NeighborLists wanted = exact_neighbors(view, Metric::l2, k, one_thread);
    const int before = 1 + static_cast<int>(rng.below(5));
    const std::uint64_t stop_after = rng.below(8);
    std::vector<std::vector<MetRows>> saved(static_cast<std::size_t>(before));
    run_ranks(before, [&](Communicator& ranks) {
      std::uint64_t calls = 0;
      static_cast<void>(ring_neighbors({.ranks = ranks,
                                        .blocks = RowBlocks(n, ranks.size()),
                                        .view = view,
                                        .metric = Metric::l2,
                                        .k = k,
                                        .run = one_thread,
                                        .piece_rows = 7,
                                        .met = [&](const std::vector<MetRows>& known) {
                                          if (calls++ <=
                                              stop_after + static_cast<std::uint64_t>(ranks.rank()))
                                            saved[static_cast<std::size_t>(ranks.rank())] = known;
                                        }}));
    });
    const int after = 1 + static_cast<int>(rng.below(5));
    run_ranks(after, [&](Communicator& ranks) {
      const RowBlocks blocks(n, ranks.size());
      const std::size_t begin = blocks.begin(ranks.rank());
      const std::size_t end = blocks.end(ranks.rank());
      std::vector<MetRows> known;
      for (const std::vector<MetRows>& of_one : saved)
        for (const MetRows& rows : of_one)
          if (rows.end > begin && rows.begin < end)
            known.push_back(rows.part(std::max(begin, rows.begin), std::min(end, rows.end), k));
      const NeighborLists found = ring_neighbors({.ranks = ranks,
                                                  .blocks = blocks,
                                                  .view = view,
                                                  .metric = Metric::l2,
                                                  .k = k,
                                                  .run = one_thread,
                                                  .piece_rows = 5,
                                                  .known = known});
      for (std::size_t at = 0; at < found.items.size(); ++at)
        ASSERT_EQ(found.items[at], wanted.items[begin * k + at]);
    });
  }
}

}  // namespace
}  // namespace pith
