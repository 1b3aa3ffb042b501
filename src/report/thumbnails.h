#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pith/run.h"

namespace pith {

/// Small pictures of the JPEG and PNG files among these paths, as data: addresses; empty where a path is no
/// image that can be read. All empty in a build without libjpeg and libpng.
[[nodiscard]] std::vector<std::string> make_thumbnails(const std::vector<std::string>& paths, const Run& run);

/// Whether this build can make them.
[[nodiscard]] bool has_thumbnails();

}  // namespace pith
