#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "graph/exact_neighbors.h"
#include "graph/symmetrise.h"
#include "pith/error.h"
#include "pith/graph.h"

namespace pith {
namespace {

constexpr std::uint32_t usual_neighbors = 10;

std::uint32_t neighbors_asked(const Matrix& embeddings, const GraphOptions& options) {
  const std::size_t n = embeddings.rows();
  if (!options.neighbors) return static_cast<std::uint32_t>(std::min<std::size_t>(usual_neighbors, n - 1));
  const std::uint32_t asked = *options.neighbors;
  if (asked == 0) throw Error(ErrorKind::bad_option, "0 neighbours: a graph needs at least 1 for each item");
  if (n == 1) return 0;
  if (asked >= n)
    throw Error(
        ErrorKind::bad_option,
        fmt::format(
            "--neighbors: {} given for each of {} items: more neighbours than there are others; ask for {} "
            "or fewer",
            asked, n, n - 1));
  return asked;
}

NeighborLists find_neighbors(const Matrix& embeddings, const GraphOptions& options, std::uint32_t k,
                             const Run& run) {
  try {
    return exact_neighbors(embeddings.view, options.metric, k, run);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input) throw;
    throw Error(error.kind(), embeddings.source + ": " + error.what());
  }
}

}  // namespace

Graph build_graph(const Matrix& embeddings, const GraphOptions& options, const Run& run) {
  if (embeddings.rows() == 0)
    throw Error(ErrorKind::bad_input, embeddings.source + ": the embeddings have no rows");
  if (embeddings.rows() >= std::numeric_limits<Item>::max())
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: {} rows; fewer than {} are supported", embeddings.source, embeddings.rows(),
                            std::numeric_limits<Item>::max()));
  const std::uint32_t k = neighbors_asked(embeddings, options);
  const NeighborLists lists = find_neighbors(embeddings, options, k, run);
  GraphInfo info{.neighbors = k,
                 .metric = options.metric,
                 .symmetry = options.symmetry,
                 .method = "exact",
                 .recall = 1.0,
                 .dimension = embeddings.cols(),
                 .fingerprint = fingerprint_of(embeddings.view, run)};
  return symmetrise(lists, std::move(info), run);
}

}  // namespace pith
