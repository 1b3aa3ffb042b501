#pragma once

#include <filesystem>
#include <vector>

namespace pith::train {

/// Folders, or JPEG and PNG files, of a folder, in the order of the bytes of their names, so that every
/// machine numbers them alike. Hidden ones are passed over.
[[nodiscard]] std::vector<std::filesystem::path> sorted_folders(const std::filesystem::path& folder);
[[nodiscard]] std::vector<std::filesystem::path> sorted_images(const std::filesystem::path& folder);

}  // namespace pith::train
