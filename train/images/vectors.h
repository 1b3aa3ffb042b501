#pragma once

#include "images/dataset.h"
#include "pith/matrix.h"

namespace pith::train {

/// The rows of a matrix. Nothing about them is left to chance.
class Vectors : public ItemSource {
 public:
  explicit Vectors(Matrix matrix) : matrix_(std::move(matrix)) {}

  [[nodiscard]] std::size_t size() const noexcept override { return matrix_.rows(); }
  [[nodiscard]] InputShape shape() const noexcept override {
    return {.height = 1, .width = 1, .channels = static_cast<std::uint32_t>(matrix_.cols())};
  }
  void read(std::size_t index, Augmentation augmentation, std::uint64_t key, const Normaliser& normaliser,
            float* out) const override;
  /// One mean and one deviation for all columns: what the columns say of each other is kept.
  [[nodiscard]] Normalisation measure(const std::vector<Item>& indices) const override;

 private:
  Matrix matrix_;
};

}  // namespace pith::train
