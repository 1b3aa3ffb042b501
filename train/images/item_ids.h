#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "images/dataset.h"

namespace pith::train {

/// Names of items by which anybody finds their images again: an image file by its path, an image packed with
/// others by the dataset's folder, its part (train or test) and its place there: FOLDER#train:12. None where
/// items are no images.
[[nodiscard]] std::vector<std::string> ids_of(const Part& items, const std::string& folder,
                                              std::string_view part);

struct PackedImage {
  std::string folder;
  bool of_test = false;
  std::size_t index = 0;
};
/// What such a name says; nothing where it is another's.
[[nodiscard]] std::optional<PackedImage> packed_image(std::string_view id);

/// The ids as a text file, one a line.
[[nodiscard]] std::string id_lines(const std::vector<std::string>& ids);

}  // namespace pith::train
