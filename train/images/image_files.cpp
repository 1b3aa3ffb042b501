#include "images/image_files.h"

#include <algorithm>

#include "base/rng.h"
#include "data/mapped_file.h"
#include "images/decode.h"

namespace pith::train {
namespace {

/// The largest reduction that leaves the box at least as large as the result.
unsigned reduction_for(const Box& box, std::uint32_t side) {
  unsigned reduction = 8;
  while (reduction > 1 && std::min(box.width, box.height) < static_cast<double>(side) * reduction)
    reduction /= 2;
  return reduction;
}

/// The box in an image that was decoded at another size than its header says.
Box scaled(const Box& box, ImageSize from, const Pixels& to) {
  const double across = static_cast<double>(to.width) / from.width;
  const double down = static_cast<double>(to.height) / from.height;
  return {.left = box.left * across,
          .top = box.top * down,
          .width = box.width * across,
          .height = box.height * down};
}

}  // namespace

void ImageFiles::read(std::size_t index, Augmentation augmentation, std::uint64_t key,
                      const Normaliser& normaliser, float* out) const {
  const std::string& path = paths_[index];
  const MappedFile file(path);
  const ImageSize size = size_of_image(file.bytes(), path);
  const Box box = augmentation == Augmentation::none ? middle_square(size.width, size.height, 0.875)
                                                     : random_box(size.width, size.height, key);
  const bool mirrored = augmentation == Augmentation::crop_and_flip && (mix64(key) & 1U) == 1;
  const Pixels image = decode_image(file.bytes(), reduction_for(box, side_), path);
  const std::vector<std::uint8_t> square = resize(image, scaled(box, size, image), side_);
  for (std::size_t y = 0; y < side_; ++y)
    for (std::size_t x = 0; x < side_; ++x) {
      const std::uint8_t* pixel = square.data() + (y * side_ + (mirrored ? side_ - 1 - x : x)) * 3;
      for (std::uint32_t c = 0; c < 3; ++c) *out++ = normaliser.of_byte(c, pixel[c]);
    }
}

Normalisation ImageFiles::measure(const std::vector<Item>& /*indices*/) const {
  return {.mean = {0.485F, 0.456F, 0.406F}, .deviation = {0.229F, 0.224F, 0.225F}};
}

}  // namespace pith::train
