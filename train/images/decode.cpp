#include "images/decode.h"

#include "data/refuse.h"

namespace pith::train {
namespace {

bool is_jpeg(std::span<const std::byte> bytes) {
  return bytes.size() >= 3 && bytes[0] == std::byte{0xff} && bytes[1] == std::byte{0xd8} &&
         bytes[2] == std::byte{0xff};
}

bool is_png(std::span<const std::byte> bytes) {
  return bytes.size() >= 4 && bytes[0] == std::byte{0x89} && bytes[1] == std::byte{'P'} &&
         bytes[2] == std::byte{'N'} && bytes[3] == std::byte{'G'};
}

[[noreturn]] void refuse_format(const std::string& path) {
  refuse_input(path,
               "neither a JPEG nor a PNG file by its first bytes; convert it or take it out of the folder");
}

}  // namespace

ImageSize size_of_image(std::span<const std::byte> bytes, const std::string& path) {
  if (is_jpeg(bytes)) return size_of_jpeg(bytes, path);
  if (is_png(bytes)) return size_of_png(bytes, path);
  refuse_format(path);
}

Pixels decode_image(std::span<const std::byte> bytes, unsigned reduction, const std::string& path) {
  if (is_jpeg(bytes)) return decode_jpeg(bytes, reduction, path);
  if (is_png(bytes)) return decode_png(bytes, path);
  refuse_format(path);
}

void require_sane_size(ImageSize size, const std::string& path) {
  constexpr std::uint32_t longest_edge = 1U << 16;
  constexpr std::uint64_t most_pixels = 1U << 28;
  if (size.width == 0 || size.height == 0 || size.width > longest_edge || size.height > longest_edge ||
      std::uint64_t{size.width} * size.height > most_pixels)
    refuse_input(path, "an image of {} x {} pixels; the file is damaged, or too large: scale it down",
                 size.width, size.height);
}

}  // namespace pith::train
