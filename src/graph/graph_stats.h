#pragma once

#include <array>
#include <cstdint>

#include "pith/graph.h"

namespace pith {

struct GraphStats {
  std::uint64_t items = 0;
  std::uint64_t edges = 0;
  std::uint64_t min_degree = 0;
  double mean_degree = 0;
  std::uint64_t max_degree = 0;
  std::uint64_t isolated = 0;    ///< items without an edge
  std::uint64_t components = 0;  ///< connected ones, isolated items among them
  /// Least, lower quartile, median, upper quartile, largest dissimilarity of the edges, interpolated; 0
  /// without edges.
  std::array<double, 5> dissimilarity_quantiles = {};
  /// Share of the edges that both ends list. Known from the counts: n k entries make `edges` union edges.
  double mutual_share = 0;
};

/// O(edges) and a little.
[[nodiscard]] GraphStats graph_stats(const Graph& graph, const Run& run = {});

/// Share of the true k nearest neighbours (k as the graph's) that are adjacent in the graph, over `sample`
/// random items (all, where there are not so many). For a mutual graph it is low by intention.
[[nodiscard]] double measure_recall(const Graph& graph, const Matrix& embeddings, std::size_t sample,
                                    std::uint64_t seed, const Run& run = {});

}  // namespace pith
