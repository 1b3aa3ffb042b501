#pragma once

#include <string>
#include <vector>

#include "images/dataset.h"

namespace pith::train {

/// JPEG and PNG files of any size, decoded whenever they are asked for and brought to side x side pixels:
/// augmented, a random rectangle of the image, perhaps mirrored; else the middle, seven eighths of the
/// shorter edge.
class ImageFiles : public ItemSource {
 public:
  ImageFiles(std::vector<std::string> paths, std::uint32_t side) : paths_(std::move(paths)), side_(side) {}

  [[nodiscard]] std::size_t size() const noexcept override { return paths_.size(); }
  [[nodiscard]] InputShape shape() const noexcept override {
    return {.height = side_, .width = side_, .channels = 3};
  }
  void read(std::size_t index, Augmentation augmentation, std::uint64_t key, const Normaliser& normaliser,
            float* out) const override;
  /// That of ImageNet, whose images look like anybody's.
  [[nodiscard]] Normalisation measure(const std::vector<Item>& indices) const override;
  [[nodiscard]] std::string path_of(std::size_t index) const override { return paths_[index]; }

 private:
  std::vector<std::string> paths_;
  std::uint32_t side_;
};

}  // namespace pith::train
