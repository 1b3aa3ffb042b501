#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "graph/exact_neighbors.h"

namespace pith::testing {

/// The canonical order of summation, spelt out one element at a time.
template <class Term>
double canonical_sum(const float* x, const float* y, std::size_t dimension, Term term) {
  double lane[8] = {};
  for (std::size_t d = 0; d < dimension; ++d)
    lane[d % 8] += term(static_cast<double>(x[d]), static_cast<double>(y[d]));
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

inline double plain_dissimilarity(Metric metric, const float* x, const float* y, std::size_t dimension) {
  const auto product = [](double a, double b) { return a * b; };
  if (metric == Metric::l2)
    return std::sqrt(canonical_sum(x, y, dimension, [](double a, double b) { return (a - b) * (a - b); }));
  if (metric == Metric::l1)
    return canonical_sum(x, y, dimension, [](double a, double b) { return std::abs(a - b); });
  const double xx = canonical_sum(x, x, dimension, product);
  const double yy = canonical_sum(y, y, dimension, product);
  if (xx == 0 || yy == 0) return 1;
  return std::clamp(1 - canonical_sum(x, y, dimension, product) / std::sqrt(xx * yy), 0.0, 2.0);
}

/// Every pair, every list sorted whole.
inline NeighborLists brute_force_neighbors(const MatrixView& view, Metric metric, std::uint32_t k) {
  std::vector<float> rows(view.rows * view.cols);
  view.read_rows(0, view.rows, rows.data());
  NeighborLists lists{.n = view.rows, .k = k, .items = {}, .dissimilarities = {}};
  for (Item i = 0; i < view.rows; ++i) {
    std::vector<std::pair<double, Item>> others;
    for (Item j = 0; j < view.rows; ++j)
      if (j != i)
        others.emplace_back(
            plain_dissimilarity(metric, &rows[i * view.cols], &rows[j * view.cols], view.cols), j);
    std::sort(others.begin(), others.end());
    for (std::uint32_t place = 0; place < k; ++place) {
      lists.items.push_back(others[place].second);
      lists.dissimilarities.push_back(others[place].first <
                                              static_cast<double>(std::numeric_limits<float>::max())
                                          ? static_cast<float>(others[place].first)
                                          : std::numeric_limits<float>::max());
    }
  }
  return lists;
}

}  // namespace pith::testing
