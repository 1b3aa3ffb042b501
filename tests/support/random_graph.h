#pragma once

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "pith/graph.h"

namespace pith::testing {

/// Each pair an edge with the given chance; dissimilarities from a coarse grid, so that areas tie.
inline Graph random_graph(std::size_t n, double density, Metric metric, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<std::vector<std::pair<Item, float>>> rows(n);
  for (Item i = 0; i < n; ++i)
    for (Item j = i + 1; j < n; ++j) {
      if (std::uniform_real_distribution<double>(0, 1)(rng) >= density) continue;
      const float d = static_cast<float>(rng() % 40) / 20.0F;
      rows[i].emplace_back(j, d);
      rows[j].emplace_back(i, d);
    }
  std::vector<std::uint64_t> offsets = {0};
  std::vector<Item> neighbors;
  std::vector<float> dissimilarities;
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    for (const auto& [item, d] : row) {
      neighbors.push_back(item);
      dissimilarities.push_back(d);
    }
    offsets.push_back(neighbors.size());
  }
  GraphInfo info;
  info.metric = metric;
  info.neighbors = 3;
  info.dimension = 7;
  info.recall = 0.75;
  info.fingerprint = "0123456789abcdef0123456789abcdef";
  return Graph::of_rows(std::move(info), std::move(offsets), std::move(neighbors),
                        std::move(dissimilarities));
}

}  // namespace pith::testing
