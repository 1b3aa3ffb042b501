#include "graph/exact_neighbors.h"

#include "graph/neighbor_search.h"
#include "graph/pair_sweep.h"

namespace pith {

NeighborLists exact_neighbors(const MatrixView& view, Metric metric, std::uint32_t k, const Run& run,
                              const NeighborTuning& tuning) {
  if (k == 0) return {.n = view.rows, .k = 0, .items = {}, .dissimilarities = {}};
  NeighborSearch search(view, metric, k, run, tuning);
  PairSweep(search.filter(), search.kernel(), search.scorer(), search.table(), search.rows(), view.cols,
            tuning.block_rows, run)
      .meet_all(0);
  return search.lists(run);
}

}  // namespace pith
