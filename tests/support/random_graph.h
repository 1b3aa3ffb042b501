#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "pith/graph.h"

namespace pith::testing {

/// Each pair an edge with the given chance; dissimilarities from a few values, so that areas tie.
inline Graph random_graph(std::size_t n, double density, const std::vector<float>& values, GraphInfo info,
                          std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::vector<std::pair<Item, float>>> rows(n);
  for (Item i = 0; i < n; ++i)
    for (Item j = i + 1; j < n; ++j) {
      if (rng.unit() >= density) continue;
      const float d = values[rng.below(values.size())];
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
  return Graph::of_rows(std::move(info), std::move(offsets), std::move(neighbors),
                        std::move(dissimilarities));
}

/// With values 0, 0.05, ..., 1.95 and every field of the info set.
inline Graph random_graph(std::size_t n, double density, Metric metric, std::uint64_t seed) {
  std::vector<float> values;
  for (int step = 0; step < 40; ++step) values.push_back(static_cast<float>(step) / 20.0F);
  GraphInfo info;
  info.metric = metric;
  info.neighbors = 3;
  info.dimension = 7;
  info.recall = 0.75;
  info.fingerprint = "0123456789abcdef0123456789abcdef";
  return random_graph(n, density, values, std::move(info), seed);
}

}  // namespace pith::testing
