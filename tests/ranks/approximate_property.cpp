#include <gtest/gtest.h>

#include "base/rng.h"
#include "ranks/approximate_across.h"
#include "ranks/thread_communicator.h"

namespace pith {
namespace {

const Run one_thread{.threads = 1, .progress = {}, .cancelled = nullptr};

/// Clouds of points, some of which are the same.
std::vector<float> clouds(std::size_t n, std::size_t dimension, std::uint64_t equals, Rng& rng) {
  const std::size_t count = 5 + rng.below(30);
  std::vector<float> rows(n * dimension);
  for (std::size_t row = 0; row < n; ++row) {
    Rng centre(rng.below(count) + 1);
    for (std::size_t d = 0; d < dimension; ++d)
      rows[row * dimension + d] =
          static_cast<float>(centre.unit() * 4 - 2 + (rng.unit() + rng.unit() - 1) / 2);
    if (row == 0 || equals == 0 || rng.below(10) >= equals) continue;
    const std::size_t from = rng.below(row);
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(from * dimension), dimension,
                rows.begin() + static_cast<std::ptrdiff_t>(row * dimension));
  }
  return rows;
}

struct Case {
  explicit Case(std::uint64_t seed) {
    Rng rng(seed);
    n = 300 + rng.below(1500);
    dimension = 2 + rng.below(seed % 4 == 0 ? 160 : 20);
    k = static_cast<std::uint32_t>(1 + rng.below(12));
    metric = static_cast<Metric>(rng.below(3));
    values = clouds(n, dimension, seed % 3 == 0 ? rng.below(9) : 0, rng);
    options = {.recall = 0.5 + 0.49 * rng.unit(), .seed = seed, .cells = 2 + rng.below(60), .persist = true};
  }
  [[nodiscard]] MatrixView view() const { return MatrixView::of_floats(values.data(), n, dimension); }

  std::size_t n;
  std::size_t dimension;
  std::uint32_t k;
  Metric metric;
  std::vector<float> values;
  ApproximateOptions options;
};

TEST(approximate_across_property, lists_and_recall_are_those_of_one_machine) {
  std::size_t missed = 0;  // entries that are not the exact search's: else this would prove little
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Case one(seed);
    const ApproximateNeighbors wanted =
        approximate_neighbors(one.view(), one.metric, one.k, one.options, one_thread);
    if (!wanted.exact) {
      const NeighborLists exact = exact_neighbors(one.view(), one.metric, one.k, one_thread);
      for (std::size_t at = 0; at < exact.items.size(); ++at)
        missed += exact.items[at] != wanted.lists.items[at] ? 1 : 0;
    }
    run_ranks(1 + static_cast<int>(seed % 8), [&](Communicator& ranks) {
      const RowBlocks blocks(one.n, ranks.size());
      const ApproximateNeighbors found =
          approximate_across(ranks, blocks, one.view(), one.metric, one.k, one.options, one_thread);
      ASSERT_EQ(found.exact, wanted.exact);
      if (found.exact) return;
      if (ranks.is_first()) {
        ASSERT_EQ(found.recall.recall, wanted.recall.recall);
        ASSERT_EQ(found.recall.low, wanted.recall.low);
        ASSERT_EQ(found.recall.high, wanted.recall.high);
      }
      ASSERT_EQ(found.cells, wanted.cells);
      ASSERT_EQ(found.places, wanted.places);
      const std::size_t begin = blocks.begin(ranks.rank()) * one.k;
      ASSERT_EQ(found.lists.items.size(), blocks.count(ranks.rank()) * one.k);
      for (std::size_t at = 0; at < found.lists.items.size(); ++at) {
        ASSERT_EQ(found.lists.items[at], wanted.lists.items[begin + at]) << begin + at;
        ASSERT_EQ(found.lists.dissimilarities[at], wanted.lists.dissimilarities[begin + at]);
      }
    });
  }
  EXPECT_GT(missed, 100U);
}

TEST(approximate_across_property, all_ranks_learn_that_all_pairs_are_cheaper) {
  Rng rng(7);
  const std::vector<float> values = clouds(100, 3, 0, rng);
  run_ranks(3, [&](Communicator& ranks) {
    const ApproximateNeighbors found =
        approximate_across(ranks, RowBlocks(100, 3), MatrixView::of_floats(values.data(), 100, 3), Metric::l2,
                           4, {.recall = 0.9}, one_thread);
    EXPECT_TRUE(found.exact);
    EXPECT_TRUE(found.lists.items.empty());
  });
}

}  // namespace
}  // namespace pith
