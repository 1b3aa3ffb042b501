#pragma once

#include <cstdint>
#include <vector>

#include "constraint/balance.h"
#include "pith/run.h"
#include "strategy/oracle.h"

namespace pith {

/// One chosen item, in pick order.
struct Pick {
  Item item = 0;
  double score = 0;        ///< what the strategy ranked it by when it was taken
  bool augmented = false;  ///< added after the greedy, along a matroid-intersection path
};

/// The greedy: next is always the admissible candidate with the largest score, ties to the lower index, until
/// `budget` picks or nothing is admissible. Labelled items are added to the oracle first, then `start`, the
/// picks already made. Lazy: a stale score is an upper bound, so an item is scored anew only when it reaches
/// the top. O(n + k log k) oracle calls in practice; the picks are those of the naive greedy, tie for tie.
[[nodiscard]] std::vector<Pick> run_greedy(Oracle& oracle, const Balance& balance, const Pool& pool,
                                           std::int64_t budget, const Run& run, std::vector<Pick> start = {});

}  // namespace pith
