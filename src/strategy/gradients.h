#pragma once

#include <vector>

#include "graph/metric.h"
#include "strategy/item_lengths.h"
#include "strategy/registry.h"

namespace pith {

/// Gradient of the loss of a last linear layer, had the best class been the label: the outer product of the
/// error (probabilities less the best class's 1) and the embedding, L x D numbers an item. Kept as its two
/// factors, because the product of two gradients is the product of the products of their factors:
///     |a x - b y|^2 = |a|^2 |x|^2 + |b|^2 |y|^2 - 2 (a b) (x y).
/// Embeddings as they are, whatever the metric. Memory: n * L floats, and n * D where they are not floats
/// yet.
class Gradients {
 public:
  explicit Gradients(const StrategyInput& input);

  [[nodiscard]] std::size_t size() const noexcept { return squared_norms_.size(); }
  [[nodiscard]] double squared_norm_of(Item item) const noexcept { return squared_norms_[item]; }
  /// Of two gradients; `enough` where the lengths alone show that it is no less.
  [[nodiscard]] double squared_distance(Item a, Item b, double enough) const noexcept;

 private:
  [[nodiscard]] const float* error_of(Item item) const noexcept { return errors_.data() + item * classes_; }

  ItemLengths rows_;
  std::size_t classes_;
  std::vector<float> errors_;
  std::vector<double> squared_norms_;
};

}  // namespace pith
