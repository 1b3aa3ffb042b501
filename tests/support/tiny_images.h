#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/rng.h"
#include "images/packed_images.h"
#include "support/files.h"
#include "support/temp_dir.h"

namespace pith::testing {

/// Images of 12 x 12 whose class shows as how far apart bright upright lines are, under noise.
struct TinyImages {
  static constexpr std::uint32_t side = 12;
  static constexpr std::uint32_t classes = 4;
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint32_t> labels;

  TinyImages(std::size_t items, std::uint64_t seed) {
    Rng rng(seed);
    for (std::size_t item = 0; item < items; ++item) {
      const auto label = static_cast<std::uint32_t>(rng.below(classes));
      labels.push_back(label);
      // Lines at any place: moved by the augmentation, they still tell the class.
      for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x) {
          const bool bright = x % (label + 2) == 0;
          pixels.push_back(static_cast<std::uint8_t>((bright ? 120 : 20) + rng.below(100)));
        }
    }
  }
  [[nodiscard]] train::Part part() const {
    const train::InputShape shape{.height = side, .width = side, .channels = 1};
    return train::whole(std::make_shared<train::PackedImages>(shape, pixels), labels);
  }
};

inline std::string big_endian(std::uint32_t value) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xffU);
  return out;
}

inline void write_idx(const TempDir& place, const std::string& folder, const std::string& part,
                      const TinyImages& images) {
  const auto count = static_cast<std::uint32_t>(images.labels.size());
  std::string bytes = std::string("\0\0\x08\x03", 4) + big_endian(count) + big_endian(TinyImages::side) +
                      big_endian(TinyImages::side);
  bytes.append(images.pixels.begin(), images.pixels.end());
  static_cast<void>(place.write(folder + "/" + part + "-images-idx3-ubyte", bytes));
  std::string labels = std::string("\0\0\x08\x01", 4) + big_endian(count);
  for (const std::uint32_t label : images.labels) labels += static_cast<char>(label);
  static_cast<void>(place.write(folder + "/" + part + "-labels-idx1-ubyte", labels));
}

/// A dataset of idx files in a folder of this name.
inline std::string write_tiny_dataset(const TempDir& place, const std::string& folder, std::size_t training,
                                      std::size_t test) {
  std::filesystem::create_directories(place.path(folder));
  write_idx(place, folder, "train", TinyImages(training, 1));
  write_idx(place, folder, "t10k", TinyImages(test, 2));
  return place.path(folder);
}

}  // namespace pith::testing
