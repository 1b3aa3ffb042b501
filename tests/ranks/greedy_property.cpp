#include <gtest/gtest.h>

#include "ranks/rank_greedy.h"
#include "ranks/thread_communicator.h"
#include "strategy/greedy.h"
#include "support/instances.h"
#include "support/rank_instances.h"

namespace pith {
namespace {

using testing::Instance;
using testing::random_shared_instance;
using testing::rows_of;

void expect_same(const std::vector<Pick>& found, const std::vector<Pick>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    ASSERT_EQ(found[at].item, wanted[at].item) << "pick " << at;
    ASSERT_EQ(found[at].score, wanted[at].score) << "pick " << at;
  }
}

std::vector<Pick> greedy_alone(const Instance& instance, const Balance& balance) {
  const Objective objective = instance.objective();
  ObjectiveOracle oracle(objective, instance.graph);
  return run_greedy(oracle, balance, instance.pool, instance.budget, {});
}

/// Every rank's answer.
std::vector<std::vector<Pick>> greedy_across(const Instance& instance, const Balance& balance, int ranks,
                                             std::size_t batch, const std::vector<Pick>& start,
                                             RankGreedyTrace* trace = nullptr) {
  std::vector<std::vector<Pick>> answers(static_cast<std::size_t>(ranks));
  const Run run{.threads = 1, .progress = {}, .cancelled = nullptr};
  run_ranks(ranks, [&](Communicator& communicator) {
    const RowBlocks blocks(instance.graph.size(), communicator.size());
    const RankScene scene(communicator, blocks, rows_of(instance.graph, blocks, communicator.rank()),
                          instance.graph.info(),
                          {.predictions = instance.predictions,
                           .scores = instance.scores,
                           .options = instance.weights,
                           .run = run});
    RankGreedyTrace mine;
    answers[static_cast<std::size_t>(communicator.rank())] = run_greedy_across({.ranks = communicator,
                                                                                .scene = scene,
                                                                                .balance = balance,
                                                                                .pool = instance.pool,
                                                                                .budget = instance.budget,
                                                                                .run = run,
                                                                                .start = start,
                                                                                .least_batch = batch},
                                                                               &mine);
    if (trace != nullptr && communicator.is_first()) {
      trace->replays += mine.replays;
      trace->taken_back += mine.taken_back;
      trace->batches += mine.batches;
    }
  });
  return answers;
}

/// Thousands of small instances full of ties and tight caps, on 1 to 8 ranks: pick by pick, bit by bit.
TEST(rank_greedy_property, is_the_greedy_on_one_machine) {
  RankGreedyTrace trace;
  for (std::uint64_t seed = 0; seed < 2500; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_shared_instance(seed, 1, 40, seed % 2 == 0);
    const Balance balance = instance.balance();
    const std::vector<Pick> wanted = greedy_alone(instance, balance);
    const int ranks = 1 + static_cast<int>(seed % 8);
    const std::size_t batch = 1 + mix64(seed) % 12;
    for (const std::vector<Pick>& found : greedy_across(instance, balance, ranks, batch, {}, &trace))
      ASSERT_NO_FATAL_FAILURE(expect_same(found, wanted));
  }
  // The hard cases were among them.
  EXPECT_GT(trace.replays, 100U);
  EXPECT_GT(trace.taken_back, 100U);
  EXPECT_GT(trace.batches, 2500U);
}

TEST(rank_greedy_property, larger_sparse_instances_with_many_batches) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_shared_instance(seed, 200, 600, seed % 2 == 0, 0.03);
    const Balance balance = instance.balance();
    const std::vector<Pick> wanted = greedy_alone(instance, balance);
    for (const std::vector<Pick>& found :
         greedy_across(instance, balance, 2 + static_cast<int>(seed % 7), 1 + seed % 50, {}))
      ASSERT_NO_FATAL_FAILURE(expect_same(found, wanted));
  }
}

/// As after a fault: any prefix of the picks is a place to go on from, on any number of ranks.
TEST(rank_greedy_property, goes_on_from_any_prefix) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Instance instance = random_shared_instance(seed, 2, 40, seed % 2 == 0);
    const Balance balance = instance.balance();
    const std::vector<Pick> wanted = greedy_alone(instance, balance);
    std::vector<Pick> start = wanted;
    start.resize(mix64(seed) % (wanted.size() + 1));
    for (const std::vector<Pick>& found :
         greedy_across(instance, balance, 1 + static_cast<int>(seed % 5), 4, start))
      ASSERT_NO_FATAL_FAILURE(expect_same(found, wanted));
  }
}

}  // namespace
}  // namespace pith
