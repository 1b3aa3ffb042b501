#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <stdexcept>

#include "base/rng.h"
#include "ranks/approximate_across.h"
#include "ranks/thread_communicator.h"
#include "support/temp_dir.h"

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

/// Of this rank's rows.
void expect_same(const Communicator& ranks, const RowBlocks& blocks, std::uint32_t k,
                 const ApproximateNeighbors& found, const ApproximateNeighbors& wanted) {
  ASSERT_EQ(found.exact, wanted.exact);
  if (found.exact) return;
  if (ranks.is_first()) {
    ASSERT_EQ(found.recall.recall, wanted.recall.recall);
    ASSERT_EQ(found.recall.low, wanted.recall.low);
    ASSERT_EQ(found.recall.high, wanted.recall.high);
  }
  ASSERT_EQ(found.cells, wanted.cells);
  ASSERT_EQ(found.places, wanted.places);
  const std::size_t begin = blocks.begin(ranks.rank()) * k;
  ASSERT_EQ(found.lists.items.size(), blocks.count(ranks.rank()) * k);
  for (std::size_t at = 0; at < found.lists.items.size(); ++at) {
    ASSERT_EQ(found.lists.items[at], wanted.lists.items[begin + at]) << begin + at;
    ASSERT_EQ(found.lists.dissimilarities[at], wanted.lists.dissimilarities[begin + at]);
  }
}

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
      Checkpoints nothing;
      expect_same(
          ranks, blocks, one.k,
          approximate_across(ranks, blocks, one.view(), one.metric, one.k, one.options, nothing, one_thread),
          wanted);
    });
  }
  EXPECT_GT(missed, 100U);
}

/// Searches on some ranks and counts the cells that were met in; the rank `victim` ends after so many of its
/// own.
struct Attempt {
  int size = 1;
  int victim = -1;
  std::uint64_t cells = 0;
};

std::uint64_t search_until(const Attempt& attempt, const Case& one, const std::string& folder,
                           const ApproximateNeighbors& wanted) {
  std::atomic<std::uint64_t> met = 0;
  const auto body = [&](Communicator& ranks) {
    std::uint64_t mine = 0;
    Run run = one_thread;
    run.progress = [&](std::string_view stage, double, double) {
      if (stage != "graph") return;
      if (ranks.rank() == attempt.victim && mine++ == attempt.cells) throw std::runtime_error("killed");
      ++met;
    };
    Checkpoints checkpoints(folder, "this one", 0);
    const RowBlocks blocks(one.n, ranks.size());
    expect_same(
        ranks, blocks, one.k,
        approximate_across(ranks, blocks, one.view(), one.metric, one.k, one.options, checkpoints, run),
        wanted);
  };
  try {
    run_ranks(attempt.size, body);
  } catch (const std::runtime_error&) {
    EXPECT_GE(attempt.victim, 0);
  }
  return met;
}

/// Ranks that end at any moment, each time another number of them: what is saved leads to the same lists, and
/// is not done again.
TEST(approximate_across_property, goes_on_from_what_other_ranks_saved) {
  std::uint64_t saved = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Case one(seed);
    const ApproximateNeighbors wanted =
        approximate_neighbors(one.view(), one.metric, one.k, one.options, one_thread);
    if (wanted.exact) continue;
    const testing::TempDir folder;
    Rng rng(seed);
    for (int fault = 0; fault < 3; ++fault) {
      const auto size = 1 + static_cast<int>(rng.below(5));
      const auto victim = static_cast<int>(rng.below(static_cast<std::uint64_t>(size)));
      static_cast<void>(search_until({size, victim, rng.below(20)}, one, folder.path("unfinished"), wanted));
    }
    const int size = 1 + static_cast<int>(rng.below(5));
    const std::uint64_t afresh = search_until({.size = size}, one, folder.path("other"), wanted);
    const std::uint64_t left = search_until({.size = size}, one, folder.path("unfinished"), wanted);
    ASSERT_LE(left, afresh);
    saved += afresh - left;
    ASSERT_EQ(search_until({.size = size}, one, folder.path("unfinished"), wanted), 0U);
  }
  EXPECT_GT(saved, 100U);
}

/// Work by another plan, or by none that is known, is as good as none.
TEST(approximate_across_property, takes_up_no_work_of_another_plan) {
  const Case one(4);
  const ApproximateNeighbors wanted =
      approximate_neighbors(one.view(), one.metric, one.k, one.options, one_thread);
  ASSERT_FALSE(wanted.exact);
  const testing::TempDir folder;
  const std::string unfinished = folder.path("unfinished");
  const std::uint64_t afresh = search_until({.size = 2}, one, unfinished, wanted);
  std::filesystem::remove(std::filesystem::path(unfinished) / "plan");
  Case other = one;
  other.options.cells += 7;
  const ApproximateNeighbors others =
      approximate_neighbors(one.view(), one.metric, one.k, other.options, one_thread);
  ASSERT_FALSE(others.exact);
  ASSERT_GT(search_until({.size = 2}, other, unfinished, others), 0U);
  std::filesystem::remove(std::filesystem::path(unfinished) / "found-0-1");
  std::filesystem::resize_file(std::filesystem::path(unfinished) / "found-1-2", 100);
  std::filesystem::remove(std::filesystem::path(unfinished) / "plan");
  EXPECT_EQ(search_until({.size = 3}, one, unfinished, wanted), afresh);
}

TEST(approximate_across_property, all_ranks_learn_that_all_pairs_are_cheaper) {
  Rng rng(7);
  const std::vector<float> values = clouds(100, 3, 0, rng);
  run_ranks(3, [&](Communicator& ranks) {
    Checkpoints nothing;
    const ApproximateNeighbors found =
        approximate_across(ranks, RowBlocks(100, 3), MatrixView::of_floats(values.data(), 100, 3), Metric::l2,
                           4, {.recall = 0.9}, nothing, one_thread);
    EXPECT_TRUE(found.exact);
    EXPECT_TRUE(found.lists.items.empty());
  });
}

}  // namespace
}  // namespace pith
