#pragma once

#include <vector>

#include "images/dataset.h"

namespace pith::train {

/// Images of one size, 8 bits a value, one after the other in memory: rows top to bottom, channels innermost.
/// Augmented as is usual for small images: moved by up to four pixels each way, the rest black, and mirrored.
class PackedImages : public ItemSource {
 public:
  static constexpr std::int64_t farthest_move = 4;

  /// `pixels` holds a whole number of images.
  PackedImages(InputShape shape, std::vector<std::uint8_t> pixels)
      : shape_(shape), pixels_(std::move(pixels)) {}

  [[nodiscard]] std::size_t size() const noexcept override { return pixels_.size() / shape_.values(); }
  [[nodiscard]] InputShape shape() const noexcept override { return shape_; }
  void read(std::size_t index, Augmentation augmentation, std::uint64_t key, const Normaliser& normaliser,
            float* out) const override;
  /// Mean and deviation of every channel.
  [[nodiscard]] Normalisation measure(const std::vector<Item>& indices) const override;
  /// Of images with one or three channels.
  [[nodiscard]] std::optional<Pixels> picture(std::size_t index) const override;

 private:
  InputShape shape_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace pith::train
