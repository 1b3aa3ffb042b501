#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "images/pixels.h"
#include "pith/matrix.h"

namespace pith::train {

/// What a network is given of one item: height x width pixels of `channels` values each, or, with height and
/// width 1, a vector of `channels` numbers.
struct InputShape {
  std::uint32_t height = 1;
  std::uint32_t width = 1;
  std::uint32_t channels = 1;

  [[nodiscard]] std::size_t values() const noexcept { return std::size_t{height} * width * channels; }
  [[nodiscard]] bool is_vector() const noexcept { return height == 1 && width == 1; }
  bool operator==(const InputShape&) const = default;
};

/// value -> (value - mean) / deviation. One of each for every channel, or one for all of them. Images count
/// from 0 to 1 here.
struct Normalisation {
  std::vector<float> mean = {0};
  std::vector<float> deviation = {1};
};

/// The same, ready for use on one item after another.
class Normaliser {
 public:
  Normaliser(const Normalisation& normalisation, std::uint32_t channels);
  /// Of an 8-bit value.
  [[nodiscard]] float of_byte(std::uint32_t channel, std::uint8_t value) const noexcept {
    return table_[(std::size_t{channel} << 8) + value];
  }
  /// Of a number of a vector.
  [[nodiscard]] float of_number(float value) const noexcept { return (value - mean_) / deviation_; }

 private:
  float mean_;
  float deviation_;
  std::vector<float> table_;  ///< of 256 values for each channel of an image
};

/// What chance may change about an item each time it is trained on.
enum class Augmentation : std::uint8_t { none, crop, crop_and_flip };

/// The items of one file or folder, by their index there.
class ItemSource {
 public:
  virtual ~ItemSource() = default;
  [[nodiscard]] virtual std::size_t size() const noexcept = 0;
  [[nodiscard]] virtual InputShape shape() const noexcept = 0;
  /// Writes shape().values() numbers, pixel by pixel, channels innermost. All chance comes from `key`.
  /// Called from many threads at once.
  virtual void read(std::size_t index, Augmentation augmentation, std::uint64_t key,
                    const Normaliser& normaliser, float* out) const = 0;
  /// Of these items, as far as it is worth computing.
  [[nodiscard]] virtual Normalisation measure(const std::vector<Item>& indices) const = 0;
  /// Of the file that is this item's alone; empty where there is none.
  [[nodiscard]] virtual std::string path_of(std::size_t /*index*/) const { return {}; }
  /// An image that lies in memory; nothing where the item is none.
  [[nodiscard]] virtual std::optional<Pixels> picture(std::size_t /*index*/) const { return std::nullopt; }
};

/// Some items of a source with their classes: what is trained on, chosen from, or tested with.
struct Part {
  std::shared_ptr<const ItemSource> source;
  std::vector<Item> indices;          ///< of each item, in its source
  std::vector<std::uint32_t> labels;  ///< of each item

  [[nodiscard]] std::size_t size() const noexcept { return indices.size(); }
  /// The items at these places of this part.
  [[nodiscard]] Part subset(const std::vector<Item>& places) const;
};

/// All items of a source, in their order.
[[nodiscard]] Part whole(std::shared_ptr<const ItemSource> source, std::vector<std::uint32_t> labels);

struct Dataset {
  std::string name;           ///< the path it was read from
  std::string format;         ///< which reader read it
  std::uint32_t classes = 0;  ///< 0: no label is known, and those of the parts mean nothing
  Part training;
  std::optional<Part> test;

  [[nodiscard]] InputShape shape() const { return training.source->shape(); }
};

}  // namespace pith::train
