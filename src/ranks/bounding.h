#pragma once

#include <vector>

#include "constraint/balance.h"
#include "ranks/rank_scene.h"
#include "strategy/greedy.h"

namespace pith {

struct BoundingTask {
  Communicator& ranks;
  const RankScene& scene;
  RankScene::Sources sources;  ///< what the scene was made of
  const Balance& balance;
  const Pool& pool;
  std::int64_t budget = 0;
  std::uint64_t seed = 0;
  int partitions = 2;
  int rounds = 4;  ///< of partitioned greedies, each with fewer items left than the one before
  const Run& run;
};

struct BoundingResult {
  std::vector<Pick> picks;
  std::uint64_t included = 0;  ///< by bounds alone
  std::uint64_t excluded = 0;
};

/// Bounding, then a greedy in partitions over several rounds (Boether and others, MLSys 2025): not the
/// greedy's picks, but usually near it.
///
/// Bounding keeps two gains an item: given what is included, and given everything not excluded. Whoever's
/// lower one exceeds the k-th largest upper one is included, whoever's upper one is below the k-th largest
/// lower one is excluded, until nothing changes; only without caps, which its argument does not know. Then
/// each round deals the items left to partitions at random, runs in each a greedy that does not see the
/// others' edges, and keeps what they took: n (k / n)^(r / rounds) of them after round r, within the class
/// caps in proportion. The last greedy sees everything and keeps to all caps; where what is left admits fewer
/// than the budget, it goes on with all items. Collective.
[[nodiscard]] BoundingResult run_bounding(const BoundingTask& task);

}  // namespace pith
