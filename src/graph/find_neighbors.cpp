#include "graph/find_neighbors.h"

namespace pith {
namespace {

const char* reason_of(Knn asked) noexcept {
  switch (asked) {
    case Knn::exact:
      return "as asked for";
    case Knn::approximate:
      return "exact neighbours meet any recall asked for";
    case Knn::automatic:
      return "";
  }
  return "";
}

}  // namespace

FoundNeighbors find_neighbors(const MatrixView& view, const GraphOptions& options, std::uint32_t k,
                              const Run& run) {
  return {.lists = exact_neighbors(view, options.metric, k, run),
          .method = "exact",
          .recall = 1.0,
          .recall_interval = {},
          .reason = reason_of(options.knn)};
}

}  // namespace pith
