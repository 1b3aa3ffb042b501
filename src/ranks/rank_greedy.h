#pragma once

#include <functional>
#include <vector>

#include "constraint/balance.h"
#include "ranks/rank_scene.h"
#include "strategy/greedy.h"

namespace pith {

/// What the greedy across ranks starts from: the same on every rank but for the scene.
struct RankGreedyTask {
  Communicator& ranks;
  const RankScene& scene;
  const Balance& balance;
  const Pool& pool;
  std::int64_t budget = 0;
  const Run& run;
  /// Picks made before: the greedy goes on from them.
  std::vector<Pick> start = {};
  /// Least number of items settled at a time; never changes what is found.
  std::size_t least_batch = 1024;
  /// Called with all picks so far whenever more are settled for good, on every rank.
  std::function<void(const std::vector<Pick>&)> settled = {};
};

/// How it went.
struct RankGreedyTrace {
  std::uint64_t batches = 0;
  std::uint64_t replays = 0;  ///< times that filled caps made a rank take picks back
  std::uint64_t rounds = 0;   ///< exchanges between neighbours
  std::uint64_t taken_back = 0;
};

/// run_greedy() on f, across ranks: the same picks in the same order with the same gains (docs/ranks.md has
/// the proof). Collective; every rank returns all picks.
[[nodiscard]] std::vector<Pick> run_greedy_across(const RankGreedyTask& task,
                                                  RankGreedyTrace* trace = nullptr);

}  // namespace pith
