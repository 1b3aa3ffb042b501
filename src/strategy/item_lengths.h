#pragma once

#include <cmath>
#include <vector>

#include "graph/metric.h"
#include "graph/rows.h"
#include "pith/matrix.h"

namespace pith {

/// Canonical distances between items, any pair at any time: rows as floats in memory, read once where the
/// matrix is not plain floats as it lies. n * D floats then.
class ItemLengths {
 public:
  ItemLengths(const MatrixView& view, Metric metric, const Run& run);

  [[nodiscard]] std::size_t size() const noexcept { return squared_norms_.size(); }
  [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
  [[nodiscard]] const float* row(Item item) const noexcept {
    return rows_ != nullptr ? rows_ + item * dimension_ : view_.row_as_floats(item);
  }
  [[nodiscard]] double squared_norm_of(Item item) const noexcept { return squared_norms_[item]; }

  [[nodiscard]] double dissimilarity_of(Item a, Item b) const noexcept {
    return dissimilarity(metric_, row(a), row(b), dimension_, squared_norms_[a], squared_norms_[b]);
  }
  /// A metric: the chord sqrt(2 - 2 cos) for the cosine, the distance else. An item is 0 from itself, even
  /// where it has no direction.
  [[nodiscard]] double length_of(Item a, Item b) const noexcept {
    if (a == b) return 0;
    const double d = dissimilarity_of(a, b);
    return metric_ == Metric::cosine ? std::sqrt(2 * d) : d;
  }

 private:
  MatrixView view_;
  Metric metric_;
  std::size_t dimension_;
  std::vector<double> squared_norms_;
  std::vector<float> copy_;
  const float* rows_;  ///< of all items; nullptr where they are floats, but not side by side
};

}  // namespace pith
