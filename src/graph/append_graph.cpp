#include <array>
#include <limits>
#include <utility>

#include "data/join_rows.h"
#include "data/refuse.h"
#include "graph/append_neighbors.h"
#include "graph/recover_lists.h"
#include "graph/symmetrise.h"
#include "graph/with_source.h"
#include "pith/graph.h"

namespace pith {
namespace {

constexpr const char* remedy = "build the graph of all items with pith graph";

void require_appendable(const Graph& old, const std::string& path) {
  const GraphInfo& info = old.info();
  if (info.method != "exact")
    refuse_input(path, "items can be added to an exact graph only, and this one is {}; {} --knn exact",
                 info.method, remedy);
  if (info.neighbors == 0 || info.neighbors >= old.size())
    refuse_input(path, "a graph of {} items with {} neighbours each cannot be added to; {}", old.size(),
                 info.neighbors, remedy);
  if (info.symmetry == Symmetry::mutual && old.lists().empty())
    refuse_input(path, "this mutual graph was saved without the lists that adding to it takes; {}", remedy);
}

}  // namespace

Graph append_graph(const Graph& old, const Matrix& old_embeddings, const Matrix& new_embeddings,
                   const Run& run, const std::string& path) {
  require_appendable(old, path);
  if (new_embeddings.rows() >= std::numeric_limits<Item>::max() - old.size())
    refuse_unsupported(new_embeddings.source, "{} items and {} more; fewer than {} are supported", old.size(),
                       new_embeddings.rows(), std::numeric_limits<Item>::max());
  require_same_embeddings(old, old_embeddings, path, run);
  const Matrix all =
      join_rows(std::array{old_embeddings, new_embeddings},
                fmt::format("{} followed by {}", old_embeddings.source, new_embeddings.source));
  NeighborLists lists = recover_lists(old, old_embeddings.view, path, run);
  lists = with_source(all.source, [&] { return append_neighbors(all.view, old.info().metric, lists, run); });
  GraphInfo info = old.info();
  info.fingerprint = fingerprint_of(all.view, run);
  info.reason = "the graph added to is exact";
  return symmetrise(std::move(lists), std::move(info), run);
}

}  // namespace pith
