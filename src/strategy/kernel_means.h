#pragma once

#include <vector>

#include "graph/rows.h"
#include "pith/options.h"
#include "strategy/item_lengths.h"
#include "strategy/registry.h"

namespace pith {

/// The kernel k(x,y) = 1 / (1 + q / median q) of `mmd`, q the squared chord (cosine), the squared distance
/// (l2) or the distance (l1): positive definite for all three. The median is that of sampled pairs.
class HeavyKernel {
 public:
  HeavyKernel(const ItemLengths& lengths, Metric metric, const Pool& pool);

  [[nodiscard]] double scale() const noexcept { return scale_; }
  [[nodiscard]] double between(Item a, Item b) const noexcept { return of(a == b ? 0 : square_of(a, b)); }
  [[nodiscard]] double of(double square) const noexcept { return 1 / (1 + square / scale_); }

 private:
  [[nodiscard]] double square_of(Item a, Item b) const noexcept;

  const ItemLengths& lengths_;
  Metric metric_;
  double scale_ = 1;
};

/// Of every item that is not excluded, the mean of its kernel with all that are not, itself included; 0 of
/// excluded ones. Products of single precision in tiles of a fixed place, so the same for any number of
/// threads; equal rows have equal means. Error about 1e-6. O(n^2 D).
[[nodiscard]] std::vector<double> kernel_means(const HeavyKernel& kernel, const StrategyInput& input);

}  // namespace pith
