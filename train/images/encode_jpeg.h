#pragma once

#include <cstdint>
#include <vector>

#include "images/pixels.h"

namespace pith::train {

/// The image as a JPEG file; quality from 1 to 100.
[[nodiscard]] std::vector<std::uint8_t> encode_jpeg(const Pixels& image, int quality);

}  // namespace pith::train
