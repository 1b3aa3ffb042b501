#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "images/pixels.h"

namespace pith::train {

/// Width and height of an image, in pixels.
struct ImageSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

/// A JPEG or PNG file in memory, told apart by its first bytes. Errors are Error{bad_input} that name the
/// file.
[[nodiscard]] ImageSize size_of_image(std::span<const std::byte> bytes, const std::string& path);

/// As red, green and blue, 8 bits each, whatever the file holds; transparent parts on black. A JPEG may be
/// decoded at 1/reduction of its size (1, 2, 4 or 8), which is quicker; a PNG is always whole.
[[nodiscard]] Pixels decode_image(std::span<const std::byte> bytes, unsigned reduction,
                                  const std::string& path);

// One format a file.
[[nodiscard]] ImageSize size_of_jpeg(std::span<const std::byte> bytes, const std::string& path);
[[nodiscard]] Pixels decode_jpeg(std::span<const std::byte> bytes, unsigned reduction,
                                 const std::string& path);
[[nodiscard]] ImageSize size_of_png(std::span<const std::byte> bytes, const std::string& path);
[[nodiscard]] Pixels decode_png(std::span<const std::byte> bytes, const std::string& path);

/// Refuses sizes that no photograph has, before memory is asked for them.
void require_sane_size(ImageSize size, const std::string& path);

}  // namespace pith::train
