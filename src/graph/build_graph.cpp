#include "graph/build_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "graph/find_neighbors.h"
#include "graph/symmetrise.h"
#include "graph/with_source.h"
#include "pith/error.h"
#include "pith/graph.h"

namespace pith {

namespace {

constexpr std::uint32_t usual_neighbors = 10;

void require_rows(const Matrix& embeddings) {
  if (embeddings.rows() == 0)
    throw Error(ErrorKind::bad_input, embeddings.source + ": the embeddings have no rows");
  if (embeddings.rows() >= std::numeric_limits<Item>::max())
    throw Error(ErrorKind::unsupported,
                fmt::format("{}: {} rows; fewer than {} are supported", embeddings.source, embeddings.rows(),
                            std::numeric_limits<Item>::max()));
}

}  // namespace

std::uint32_t neighbors_asked(const Matrix& embeddings, const GraphOptions& options) {
  const std::size_t n = embeddings.rows();
  if (!options.neighbors) return static_cast<std::uint32_t>(std::min<std::size_t>(usual_neighbors, n - 1));
  const std::uint32_t asked = *options.neighbors;
  if (asked >= n)
    throw Error(
        ErrorKind::bad_option,
        fmt::format(
            "--neighbors: {} given, more than the {} other items there are; ask for fewer, or leave it "
            "out",
            asked, n - 1));
  return asked;
}

void require_graph_input(const Matrix& embeddings, const GraphOptions& options) {
  const std::vector<std::string> problems = options.check();
  if (!problems.empty()) throw Error(ErrorKind::bad_option, fmt::format("{}", fmt::join(problems, "; ")));
  require_rows(embeddings);
}

Graph build_graph(const Matrix& embeddings, const GraphOptions& options, const Run& run) {
  require_graph_input(embeddings, options);
  return build_checked_graph(embeddings, options, run);
}

Graph build_checked_graph(const Matrix& embeddings, const GraphOptions& options, const Run& run) {
  require_rows(embeddings);
  const std::uint32_t k = neighbors_asked(embeddings, options);
  FoundNeighbors found =
      with_source(embeddings.source, [&] { return find_neighbors(embeddings.view, options, k, run); });
  GraphInfo info{.neighbors = k,
                 .metric = options.metric,
                 .symmetry = options.symmetry,
                 .method = std::move(found.method),
                 .recall = found.recall,
                 .recall_interval = found.recall_interval,
                 .dimension = embeddings.cols(),
                 .fingerprint = fingerprint_of(embeddings.view, run),
                 .reason = std::move(found.reason)};
  return symmetrise(std::move(found.lists), std::move(info), run);
}

}  // namespace pith
