#pragma once

#include <array>
#include <span>
#include <vector>

#include "pith/matrix.h"
#include "pith/run.h"

namespace pith {

/// A place on a map.
struct Point {
  float x = 0;
  float y = 0;

  bool operator==(const Point&) const = default;
};

/// The two directions along which some rows of a matrix vary most, and where the rows lie along them.
struct Pca {
  std::vector<Point> points;               ///< one a row asked for
  std::array<double, 2> variance{};        ///< along the two directions
  double total_variance = 0;               ///< along all of them
  std::array<std::vector<float>, 2> axes;  ///< unit vectors; each one's largest entry is positive
};

/// Of the rows named, each scaled to length 1 first where `unit_rows` says so (zero rows stay). By subspace
/// iteration on blocks of rows whose sums are added in order, so the result is the same for any
/// run.threads. O(rows * cols) a step, at most 60 steps, and no copy of the matrix.
[[nodiscard]] Pca find_pca(const MatrixView& matrix, std::span<const Item> rows, bool unit_rows,
                           const Run& run);

}  // namespace pith
