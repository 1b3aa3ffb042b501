#include "pipeline/representatives.h"

#include <limits>

namespace pith {

std::vector<std::uint32_t> find_representatives(const Graph& graph, std::span<const Item> picks) {
  struct Nearest {
    float dissimilarity = std::numeric_limits<float>::infinity();
    std::uint32_t row = no_pick;
  };
  std::vector<Nearest> nearest(graph.size());
  for (std::uint32_t row = 0; row < picks.size(); ++row) {
    const auto neighbors = graph.neighbors(picks[row]);
    const auto dissimilarities = graph.dissimilarities(picks[row]);
    for (std::size_t at = 0; at < neighbors.size(); ++at) {
      Nearest& best = nearest[neighbors[at]];
      if (dissimilarities[at] < best.dissimilarity ||
          (dissimilarities[at] == best.dissimilarity && picks[row] < picks[best.row]))
        best = {dissimilarities[at], row};
    }
  }
  std::vector<std::uint32_t> rows(graph.size());
  for (std::size_t item = 0; item < rows.size(); ++item) rows[item] = nearest[item].row;
  for (std::uint32_t row = 0; row < picks.size(); ++row) rows[picks[row]] = row;
  return rows;
}

}  // namespace pith
