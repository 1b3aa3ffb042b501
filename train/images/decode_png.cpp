#include <png.h>

#include "data/refuse.h"
#include "images/decode.h"

namespace pith::train {
namespace {

struct Reader {
  png_image image{};

  Reader() { image.version = PNG_IMAGE_VERSION; }
  ~Reader() { png_image_free(&image); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// Not in the constructor: what it allocates is freed even where it fails half way.
  void open(std::span<const std::byte> bytes, const std::string& path) {
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) refuse_damaged(path);
    require_sane_size({.width = image.width, .height = image.height}, path);
  }
  [[noreturn]] void refuse_damaged(const std::string& path) const {
    refuse_input(path, "damaged PNG: {}; get the file again or take it out of the folder",
                 std::string(image.message));
  }
};

}  // namespace

ImageSize size_of_png(std::span<const std::byte> bytes, const std::string& path) {
  Reader reader;
  reader.open(bytes, path);
  return {.width = reader.image.width, .height = reader.image.height};
}

Pixels decode_png(std::span<const std::byte> bytes, const std::string& path) {
  Reader reader;
  reader.open(bytes, path);
  reader.image.format = PNG_FORMAT_RGB;
  Pixels out{.height = reader.image.height, .width = reader.image.width, .values = {}};
  out.values.resize(PNG_IMAGE_SIZE(reader.image));
  const png_color black{0, 0, 0};
  if (png_image_finish_read(&reader.image, &black, out.values.data(), 0, nullptr) == 0)
    reader.refuse_damaged(path);
  return out;
}

}  // namespace pith::train
