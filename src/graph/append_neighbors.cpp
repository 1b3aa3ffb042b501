#include "graph/append_neighbors.h"

namespace pith {

NeighborLists append_neighbors(const MatrixView& all, Metric metric, const NeighborLists& old, const Run& run,
                               const NeighborTuning& tuning) {
  return exact_neighbors(all, metric, old.k, run, tuning);
}

}  // namespace pith
