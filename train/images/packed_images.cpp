#include "images/packed_images.h"

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
  for (std::int64_t y = 0; y < shape_.height; ++y) {
    const std::int64_t from_y = y + down;
    const bool row_inside = from_y >= 0 && from_y < shape_.height;
    for (std::int64_t x = 0; x < shape_.width; ++x) {
      const std::int64_t from_x = (mirrored ? shape_.width - 1 - x : x) + right;
      const bool inside = row_inside && from_x >= 0 && from_x < shape_.width;
      const std::uint8_t* pixel =
          inside ? image + (from_y * shape_.width + from_x) * shape_.channels : nullptr;
      for (std::uint32_t c = 0; c < shape_.channels; ++c)
        *out++ = normaliser.of_byte(c, inside ? pixel[c] : 0);
    }
  }
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
