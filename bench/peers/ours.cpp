#include "graph/approximate_neighbors.h"
#include "graph/exact_neighbors.h"
#include "peers.h"

namespace peers {

Lists search_ours(const Data& data) {
  const auto view = pith::MatrixView::of_floats(data.rows.data(), data.n, data.dimension);
  return pith::exact_neighbors(view, pith::Metric::cosine, neighbors, {}).items;
}

void try_ours(const Data& data, double asked, Trial& trial) {
  const auto view = pith::MatrixView::of_floats(data.rows.data(), data.n, data.dimension);
  Lists lists;
  const double seconds = best_seconds([&] {
    lists =
        pith::approximate_neighbors(view, pith::Metric::cosine, neighbors, {.recall = asked}, {}).lists.items;
  });
  (void)trial.report("recall " + std::to_string(asked).substr(0, 5), seconds, lists);
}

}  // namespace peers
