#include "images/packed_images.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/rng.h"

namespace pith::train {

void PackedImages::read(std::size_t index, Augmentation augmentation, std::uint64_t key,
                        const Normaliser& normaliser, float* out) const {
  std::int64_t down = 0;
  std::int64_t right = 0;
  bool mirrored = false;
  if (augmentation != Augmentation::none) {
    Rng rng(key);
    down = static_cast<std::int64_t>(rng.below(2 * farthest_move + 1)) - farthest_move;
    right = static_cast<std::int64_t>(rng.below(2 * farthest_move + 1)) - farthest_move;
    mirrored = augmentation == Augmentation::crop_and_flip && rng.below(2) == 1;
  }
  const std::uint8_t* image = pixels_.data() + index * shape_.values();
  const std::int64_t width = shape_.width;
  const std::int64_t channels = shape_.channels;
  // Pixels [first, last) of every row come from inside the image.
  const std::int64_t first = std::clamp<std::int64_t>(mirrored ? right : -right, 0, width);
  const std::int64_t last = std::clamp<std::int64_t>(width + (mirrored ? right : -right), 0, width);
  const std::int64_t step = mirrored ? -channels : channels;
  const auto blacken = [&](std::int64_t pixels) {
    for (std::int64_t x = 0; x < pixels; ++x)
      for (std::uint32_t c = 0; c < shape_.channels; ++c) *out++ = normaliser.of_byte(c, 0);
  };
  for (std::int64_t y = 0; y < shape_.height; ++y) {
    const std::int64_t from_y = y + down;
    if (from_y < 0 || from_y >= shape_.height) {
      blacken(width);
      continue;
    }
    blacken(first);
    const std::int64_t from_x = (mirrored ? width - 1 - first : first) + right;
    const std::uint8_t* pixel = image + (from_y * width + from_x) * channels;
    for (std::int64_t x = first; x < last; ++x, pixel += step)
      for (std::uint32_t c = 0; c < shape_.channels; ++c) *out++ = normaliser.of_byte(c, pixel[c]);
    blacken(width - last);
  }
}

std::optional<Pixels> PackedImages::picture(std::size_t index) const {
  if (index >= size() || (shape_.channels != 1 && shape_.channels != 3)) return std::nullopt;
  Pixels picture{.height = shape_.height, .width = shape_.width, .values = {}};
  const std::uint8_t* const image = pixels_.data() + index * shape_.values();
  for (std::size_t at = 0; at < shape_.values(); ++at)
    picture.values.insert(picture.values.end(), shape_.channels == 1 ? 3 : 1, image[at]);
  return picture;
}

Normalisation PackedImages::measure(const std::vector<Item>& indices) const {
  // Counts of values are exact, so the result does not depend on the order of the items.
  std::vector<std::array<std::uint64_t, 256>> counts(shape_.channels);
  for (const Item index : indices) {
    const std::uint8_t* image = pixels_.data() + std::size_t{index} * shape_.values();
    for (std::size_t at = 0; at < shape_.values(); ++at) ++counts[at % shape_.channels][image[at]];
  }
  Normalisation out{.mean = {}, .deviation = {}};
  for (const auto& histogram : counts) {
    double sum = 0;
    double squares = 0;
    double total = 0;
    for (std::size_t value = 0; value < 256; ++value) {
      const auto count = static_cast<double>(histogram[value]);
      const double brightness = static_cast<double>(value) / 255;
      total += count;
      sum += count * brightness;
      squares += count * brightness * brightness;
    }
    const double mean = total > 0 ? sum / total : 0;
    const double variance = total > 0 ? squares / total - mean * mean : 0;
    out.mean.push_back(static_cast<float>(mean));
    out.deviation.push_back(variance > 1e-8 ? static_cast<float>(std::sqrt(variance)) : 1.0F);
  }
  return out;
}

}  // namespace pith::train
