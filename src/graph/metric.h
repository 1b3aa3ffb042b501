#pragma once

#include <cstddef>

#include "pith/options.h"

namespace pith {

// The canonical score: the one routine that decides who is nearer than whom. Everything is double arithmetic
// in a fixed order (8 lanes, lane l takes the columns = l mod 8, then one fixed tree), so a pair of rows has
// the same bits on every machine, and either way round. Finite floats neither overflow nor underflow here:
// squares lie within 2^-298 .. 2^258, and their products by pairs within 2^-596 .. 2^600.

[[nodiscard]] double dot(const float* x, const float* y, std::size_t dimension) noexcept;
[[nodiscard]] double squared_norm(const float* x, std::size_t dimension) noexcept;

/// 1 - cos, in [0,2], of two rows with the given dot product and squared norms; 1 where either is zero.
/// Exactly 0 for equal rows, because sqrt(s * s) rounds to s.
[[nodiscard]] double cosine_dissimilarity(double dot, double squared_norm_x, double squared_norm_y) noexcept;
[[nodiscard]] double l2_distance(const float* x, const float* y, std::size_t dimension) noexcept;
[[nodiscard]] double l1_distance(const float* x, const float* y, std::size_t dimension) noexcept;

/// Dissimilarity of two rows; the squared norms are read for the cosine only.
[[nodiscard]] double dissimilarity(Metric metric, const float* x, const float* y, std::size_t dimension,
                                   double squared_norm_x, double squared_norm_y) noexcept;

/// As a graph keeps it: the nearest float, and the largest finite one for what lies beyond.
[[nodiscard]] float stored_dissimilarity(double dissimilarity) noexcept;

}  // namespace pith
