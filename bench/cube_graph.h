#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "graph/symmetrise.h"

namespace bench {

inline double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A million (double, uint32) pairs in random order: the yardstick of the benchmarks is the time to sort
/// them.
inline std::vector<std::pair<double, std::uint32_t>> pairs_to_sort() {
  std::mt19937_64 rng(2);
  std::vector<std::pair<double, std::uint32_t>> pairs(1000000);
  for (auto& pair : pairs)
    pair = {std::uniform_real_distribution<double>(0, 1)(rng), static_cast<std::uint32_t>(rng())};
  return pairs;
}

/// 10 nearest neighbours of random points of a cube, near enough exact: cells of about 8 points, the cell and
/// those around it. Items are numbered at random, so rows have no locality.
inline pith::NeighborLists cube_neighbors(std::size_t n, std::uint32_t k) {
  const auto side = static_cast<int>(std::max(1.0, std::cbrt(static_cast<double>(n) / 8)));
  std::mt19937_64 rng(1);
  std::uniform_real_distribution<float> uniform(0, 1);
  struct Point {
    float x[3];
  };
  std::vector<Point> points(n);
  std::vector<std::vector<pith::Item>> cells(static_cast<std::size_t>(side * side * side));
  const auto cell_of = [&](float x) {
    return std::min(side - 1, static_cast<int>(x * static_cast<float>(side)));
  };
  for (pith::Item i = 0; i < n; ++i) {
    for (float& x : points[i].x) x = uniform(rng);
    const auto& p = points[i].x;
    cells[static_cast<std::size_t>((cell_of(p[0]) * side + cell_of(p[1])) * side + cell_of(p[2]))].push_back(
        i);
  }
  pith::NeighborLists lists{.n = n, .k = k, .items = {}, .dissimilarities = {}};
  std::vector<std::pair<float, pith::Item>> near;
  for (pith::Item i = 0; i < n; ++i) {
    const auto& p = points[i].x;
    near.clear();
    for (int a = -1; a <= 1; ++a)
      for (int b = -1; b <= 1; ++b)
        for (int c = -1; c <= 1; ++c) {
          const int u = cell_of(p[0]) + a;
          const int v = cell_of(p[1]) + b;
          const int w = cell_of(p[2]) + c;
          if (std::min({u, v, w}) < 0 || std::max({u, v, w}) >= side) continue;
          for (const pith::Item j : cells[static_cast<std::size_t>((u * side + v) * side + w)]) {
            const auto& q = points[j].x;
            if (j != i) near.emplace_back(std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]), j);
          }
        }
    std::partial_sort(near.begin(), near.begin() + k, near.end());
    for (std::uint32_t place = 0; place < k; ++place) {
      lists.items.push_back(near[place].second);
      lists.dissimilarities.push_back(near[place].first);
    }
  }
  return lists;
}

}  // namespace bench
