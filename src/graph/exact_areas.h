#pragma once

#include <vector>

#include "pith/matrix.h"
#include "pith/options.h"
#include "pith/run.h"

namespace pith {

/// Areas of triangles from the embeddings themselves, in double: half the root of the Gram determinant of two
/// sides, by taking one side's share off the other, so that needles keep their digits. For the cosine the
/// corners are the rows at length 1, else the rows; always the Euclidean area. A zero row under the cosine is
/// orthogonal to everything, as it is to the graph: length 1 along an axis of its own.
class ExactAreas {
 public:
  /// `rows` must outlive it.
  ExactAreas(const MatrixView& rows, Metric metric, const Run& run);
  /// The same for any order of the corners. O(D).
  [[nodiscard]] double area(Item a, Item b, Item c) const;

 private:
  MatrixView rows_;
  bool unit_;                   ///< rows are scaled to length 1
  std::vector<double> length_;  ///< of each row; 0 marks the zero rows
};

}  // namespace pith
