#include <algorithm>

#include "data/refuse.h"
#include "images/image_files.h"
#include "images/readers/entries.h"
#include "images/readers/formats.h"

namespace pith::train {
namespace fs = std::filesystem;
namespace {

constexpr const char* where_to_get =
    "put JPEG or PNG files into train/CLASS/ and val/CLASS/ (ImageNet's are at image-net.org, after "
    "registering)";

bool has_class_folders(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return false;
  for (const fs::path& name : sorted_folders(folder))
    if (!sorted_images(name).empty()) return true;
  return false;
}

/// root/train beside root/val or root/test, or the classes right in root.
fs::path training_folder(const fs::path& root) {
  return has_class_folders(root / "train") ? root / "train" : root;
}

Part read_part(const fs::path& folder, const std::vector<std::string>& classes, std::uint32_t side) {
  std::vector<std::string> paths;
  std::vector<std::uint32_t> labels;
  for (std::uint32_t label = 0; label < classes.size(); ++label) {
    const fs::path of_class = folder / classes[label];
    std::error_code ignored;
    if (!fs::is_directory(of_class, ignored))
      refuse_input(of_class.string(), "no such folder, though the training set has this class; {}",
                   where_to_get);
    const std::vector<fs::path> files = sorted_images(of_class);
    if (files.empty()) refuse_input(of_class.string(), "no JPEG or PNG file in it; {}", where_to_get);
    for (const fs::path& file : files) {
      paths.push_back(file.string());
      labels.push_back(label);
    }
  }
  return whole(std::make_shared<ImageFiles>(std::move(paths), side), std::move(labels));
}

Dataset read(const fs::path& root, const OpenOptions& options) {
  const fs::path training = training_folder(root);
  std::vector<std::string> classes;
  for (const fs::path& name : sorted_folders(training)) classes.push_back(name.filename().string());
  if (classes.size() < 2)
    refuse_input(training.string(), "{} class folders in it, at least 2 are needed; {}", classes.size(),
                 where_to_get);
  Dataset data{.name = root.string(),
               .format = "folder",
               .classes = static_cast<std::uint32_t>(classes.size()),
               .training = read_part(training, classes, options.image_side),
               .test = {}};
  if (training == root) return data;
  for (const char* name : {"val", "test"}) {
    if (!has_class_folders(root / name)) continue;
    for (const fs::path& own : sorted_folders(root / name))
      if (std::find(classes.begin(), classes.end(), own.filename().string()) == classes.end() &&
          !sorted_images(own).empty())
        refuse_input(own.string(), "the training set has no such class; {}", where_to_get);
    data.test = read_part(root / name, classes, options.image_side);
    break;
  }
  return data;
}

bool recognises(const fs::path& root) {
  return has_class_folders(training_folder(root));
}

}  // namespace

DatasetFormat folder_format() {
  return {.name = "folder",
          .files = "train/CLASS/*.jpeg or .png, and val/CLASS/ or test/CLASS/",
          .where_to_get = where_to_get,
          .recognises = recognises,
          .read = read};
}

}  // namespace pith::train
