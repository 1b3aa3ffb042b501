#include "graph/exact_neighbors.h"
#include "peers.h"

#if __has_include("graph/approximate_neighbors.h")
#include "graph/approximate_neighbors.h"
#define PITH_HAS_APPROXIMATE
#else
#include "pith/error.h"
#endif

namespace peers {

Lists search_ours(const Data& data) {
  const auto view = pith::MatrixView::of_floats(data.rows.data(), data.n, data.dimension);
  return pith::exact_neighbors(view, pith::Metric::cosine, neighbors, {}).items;
}

#ifdef PITH_HAS_APPROXIMATE

namespace {

/// The lists of whatever the search returns: lists themselves, or lists with a report on them.
Lists items_of(auto found) {
  if constexpr (requires { found.lists; })
    return std::move(found.lists.items);
  else
    return std::move(found.items);
}

}  // namespace

void try_ours(const Data& data, double asked, Trial& trial) {
  const auto view = pith::MatrixView::of_floats(data.rows.data(), data.n, data.dimension);
  Lists lists;
  const double seconds = best_seconds([&] {
    lists =
        items_of(pith::approximate_neighbors(view, pith::Metric::cosine, neighbors, {.recall = asked}, {}));
  });
  (void)trial.report("recall " + std::to_string(asked).substr(0, 5), seconds, lists);
}

#else

void try_ours(const Data&, double, Trial&) {
  throw pith::Error(pith::ErrorKind::unsupported,
                    "this Pith has no approximate search (graph/approximate_neighbors.h)");
}

#endif

}  // namespace peers
