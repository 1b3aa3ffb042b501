#pragma once

#include <cstdint>
#include <vector>

#include "pith/graph.h"

namespace pith {

/// The six side lengths of a tetrahedron, corners 0..3 in ascending order of items.
struct TetrahedronSides {
  double s01 = 0, s02 = 0, s03 = 0, s12 = 0, s13 = 0, s23 = 0;
};

/// Volume by elimination on the Gram matrix of the three sides at corner 0; 0 where the lengths are those of
/// no solid (rounding, or a metric that is not Euclidean).
[[nodiscard]] double tetrahedron_volume(const TetrahedronSides& sides) noexcept;

/// Four items with all six edges, each set counted once.
struct FourCliques {
  std::uint64_t count = 0;
  double volume_threshold = 0;  ///< thin means strictly below
  std::uint64_t thin_count = 0;
  std::vector<std::uint64_t> at_item;       ///< cliques at each item
  std::vector<std::uint64_t> thin_at_item;  ///< thin ones among them
};

/// The threshold is the quantile of all volumes, with linear interpolation between order statistics. Three
/// walks over all cliques: how the volumes spread, the ones about the quantile, and the counts; no list of
/// all is kept.
[[nodiscard]] FourCliques find_four_cliques(const Graph& graph, double quantile, const Run& run);

/// Side lengths of four items that are a clique, in any order.
[[nodiscard]] TetrahedronSides sides_of(const Graph& graph, Item a, Item b, Item c, Item d);

}  // namespace pith
