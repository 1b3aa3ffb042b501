#include "report/thumbnails.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

#include "base/parallel.h"
#include "data/mapped_file.h"
#include "images/decode.h"
#include "images/encode_jpeg.h"
#include "images/item_ids.h"
#include "images/readers/formats.h"
#include "pith/error.h"
#include "report/base64.h"

namespace pith {
namespace {

constexpr std::uint32_t largest_side = 96;

train::Pixels decoded(const std::string& path) {
  const Bytes file = map_file(path);
  const train::ImageSize size = train::size_of_image(file.data, path);
  const std::uint32_t shorter = std::min(size.width, size.height);
  unsigned reduction = 1;
  while (reduction < 8 && shorter / (2 * reduction) >= largest_side) reduction *= 2;
  return train::decode_image(file.data, reduction, path);
}

std::string thumbnail_of(const train::Pixels& image) {
  const std::uint32_t side = std::min(largest_side, std::min(image.width, image.height));
  train::Pixels small{.height = side, .width = side, .values = {}};
  small.values = train::resize(image, train::middle_square(image.width, image.height, 1.0), side);
  const std::vector<std::uint8_t> jpeg = train::encode_jpeg(small, 80);
  return "data:image/jpeg;base64," + base64(jpeg);
}

}  // namespace

struct Thumbnails::Datasets {
  std::mutex mutex;
  std::map<std::string, std::optional<train::Dataset>> opened;  ///< nothing: there is none

  [[nodiscard]] std::optional<train::Pixels> picture(const train::PackedImage& image) {
    const std::lock_guard lock(mutex);
    auto found = opened.find(image.folder);
    if (found == opened.end()) {
      found = opened.emplace(image.folder, std::nullopt).first;
      found->second = train::open_dataset({.path = image.folder});
    }
    if (!found->second) return std::nullopt;
    if (!image.of_test) return found->second->training.source->picture(image.index);
    return found->second->test ? found->second->test->source->picture(image.index) : std::nullopt;
  }
};

Thumbnails::Thumbnails() : datasets_(std::make_unique<Datasets>()) {}
Thumbnails::~Thumbnails() = default;

bool Thumbnails::possible() {
  return true;
}

std::vector<std::string> Thumbnails::make(const std::vector<std::string>& paths, const Run& run) const {
  std::vector<std::string> out(paths.size());
  parallel_for(run, paths.size(), 4, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    for (std::size_t at = begin; at < end; ++at) {
      try {
        std::optional<train::Pixels> image;
        if (const auto packed = train::packed_image(paths[at]))
          image = datasets_->picture(*packed);
        else
          image = decoded(paths[at]);
        if (image) out[at] = thumbnail_of(*image);
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::interrupted) throw;  // anything else: no picture
      }
    }
  });
  return out;
}

}  // namespace pith
