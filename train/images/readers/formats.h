#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "images/dataset.h"

namespace pith::train {

struct OpenOptions {
  std::string path;                ///< a folder, or a name that stands for one (fashion-mnist)
  std::string format = "auto";     ///< one of the formats' names
  std::uint32_t image_side = 224;  ///< of images that are decoded from files
};

struct DatasetFormat {
  std::string name;
  std::string files;         ///< what such a folder holds, for the help
  std::string where_to_get;  ///< ends every error about missing or damaged files
  bool (*recognises)(const std::filesystem::path& folder) = nullptr;
  Dataset (*read)(const std::filesystem::path& folder, const OpenOptions& options) = nullptr;
};

// One a file.
[[nodiscard]] DatasetFormat cifar10_format();
[[nodiscard]] DatasetFormat cifar100_format();
[[nodiscard]] DatasetFormat idx_format();
[[nodiscard]] DatasetFormat arrays_format();
[[nodiscard]] DatasetFormat folder_format();
[[nodiscard]] DatasetFormat pictures_format();

[[nodiscard]] const std::vector<DatasetFormat>& dataset_formats();

/// "auto, cifar10, ... or pictures": what --format may be.
[[nodiscard]] std::string format_names();

/// Reads a dataset. What is missing or damaged is an Error that names the file and says where to get it.
[[nodiscard]] Dataset open_dataset(const OpenOptions& options);

}  // namespace pith::train
