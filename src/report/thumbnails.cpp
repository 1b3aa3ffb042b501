#include "report/thumbnails.h"

#include <algorithm>

#include "base/parallel.h"
#include "data/mapped_file.h"
#include "images/decode.h"
#include "images/encode_jpeg.h"
#include "pith/error.h"
#include "report/base64.h"

namespace pith {
namespace {

constexpr std::uint32_t largest_side = 96;

std::string thumbnail_of(const std::string& path) {
  const Bytes file = map_file(path);
  const train::ImageSize size = train::size_of_image(file.data, path);
  const std::uint32_t shorter = std::min(size.width, size.height);
  unsigned reduction = 1;
  while (reduction < 8 && shorter / (2 * reduction) >= largest_side) reduction *= 2;
  const train::Pixels image = train::decode_image(file.data, reduction, path);
  const std::uint32_t side = std::min(largest_side, std::min(image.width, image.height));
  train::Pixels small{.height = side, .width = side, .values = {}};
  small.values = train::resize(image, train::middle_square(image.width, image.height, 1.0), side);
  const std::vector<std::uint8_t> jpeg = train::encode_jpeg(small, 80);
  return "data:image/jpeg;base64," + base64(jpeg);
}

}  // namespace

std::vector<std::string> make_thumbnails(const std::vector<std::string>& paths, const Run& run) {
  std::vector<std::string> out(paths.size());
  parallel_for(run, paths.size(), 4, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    for (std::size_t at = begin; at < end; ++at) {
      try {
        out[at] = thumbnail_of(paths[at]);
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::interrupted) throw;  // anything else: no picture
      }
    }
  });
  return out;
}

bool has_thumbnails() {
  return true;
}

}  // namespace pith
