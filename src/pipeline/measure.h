#pragma once

#include <optional>

#include "constraint/balance.h"
#include "graph/triangles.h"
#include "objective/objective.h"
#include "pipeline/certificate.h"
#include "pith/select.h"
#include "strategy/greedy.h"

namespace pith {

/// What a strategy's picks are worth in terms of f: replays them in order and fills the rows' gains and
/// parts, the objective, the certificate, and how many items each pick stands for. `bound` is that of sets of
/// as many items, or of the same cost; without one, the certificate says nothing.
void measure_picks(Selection& selection, const std::vector<Pick>& picks, const Predictions& predictions,
                   const Graph& graph, const Objective& objective, const Pool& pool,
                   std::optional<UpperBound> bound, const Run& run);

}  // namespace pith
