#include "graph/metric.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.h"

namespace pith {
namespace {

constexpr std::size_t lanes = 8;

/// Sums term(x[d], y[d]) in the canonical order.
template <class Term>
[[gnu::always_inline]] inline double sum_in_lanes(const float* x, const float* y, std::size_t dimension,
                                                  Term term) noexcept {
  double lane[lanes] = {};
  std::size_t d = 0;
  for (; d + lanes <= dimension; d += lanes)
    for (std::size_t l = 0; l < lanes; ++l)
      lane[l] += term(static_cast<double>(x[d + l]), static_cast<double>(y[d + l]));
  for (std::size_t l = 0; d < dimension; ++d, ++l)
    lane[l] += term(static_cast<double>(x[d]), static_cast<double>(y[d]));
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

PITH_CLONES double sum_of_products(const float* x, const float* y, std::size_t dimension) noexcept {
  return sum_in_lanes(x, y, dimension, [](double a, double b) { return a * b; });
}

PITH_CLONES double sum_of_squared_differences(const float* x, const float* y,
                                              std::size_t dimension) noexcept {
  return sum_in_lanes(x, y, dimension, [](double a, double b) { return (a - b) * (a - b); });
}

PITH_CLONES double sum_of_differences(const float* x, const float* y, std::size_t dimension) noexcept {
  return sum_in_lanes(x, y, dimension, [](double a, double b) { return std::fabs(a - b); });
}

}  // namespace

double dot(const float* x, const float* y, std::size_t dimension) noexcept {
  return sum_of_products(x, y, dimension);
}

double squared_norm(const float* x, std::size_t dimension) noexcept {
  return sum_of_products(x, x, dimension);
}

double cosine_dissimilarity(double dot, double squared_norm_x, double squared_norm_y) noexcept {
  if (squared_norm_x == 0 || squared_norm_y == 0) return 1;
  return std::clamp(1 - dot / std::sqrt(squared_norm_x * squared_norm_y), 0.0, 2.0);
}

double l2_distance(const float* x, const float* y, std::size_t dimension) noexcept {
  return std::sqrt(sum_of_squared_differences(x, y, dimension));
}

double l1_distance(const float* x, const float* y, std::size_t dimension) noexcept {
  return sum_of_differences(x, y, dimension);
}

double dissimilarity(Metric metric, const float* x, const float* y, std::size_t dimension,
                     double squared_norm_x, double squared_norm_y) noexcept {
  switch (metric) {
    case Metric::cosine:
      return cosine_dissimilarity(dot(x, y, dimension), squared_norm_x, squared_norm_y);
    case Metric::l2:
      return l2_distance(x, y, dimension);
    case Metric::l1:
      return l1_distance(x, y, dimension);
  }
  return 0;
}

float stored_dissimilarity(double dissimilarity) noexcept {
  constexpr float most = std::numeric_limits<float>::max();
  return dissimilarity < static_cast<double>(most) ? static_cast<float>(dissimilarity) : most;
}

}  // namespace pith
