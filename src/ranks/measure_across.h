#pragma once

#include "pipeline/certificate.h"
#include "pith/select.h"
#include "ranks/rank_scene.h"
#include "strategy/greedy.h"

namespace pith {

/// UpperBound::refine() with the graph's rows spread over the ranks: the same bound, bit for bit. Collective.
void refine_across(Communicator& ranks, const RankScene& scene, const Pool& pool, UpperBound& bound,
                   double target, int rounds, const Run& run);

/// f of picks beyond the labelled items. Collective.
[[nodiscard]] double objective_across(Communicator& ranks, const std::vector<Pick>& picks,
                                      const RankScene& scene, const Pool& pool);

/// measure_picks() across ranks: fills the same fields with the same numbers, on every rank. Collective.
void measure_across(Communicator& ranks, Selection& selection, const std::vector<Pick>& picks,
                    const Predictions& predictions, const RankScene& scene, const Balance& balance,
                    const Pool& pool, const Run& run);

}  // namespace pith
