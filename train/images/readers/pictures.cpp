#include "data/refuse.h"
#include "images/image_files.h"
#include "images/readers/entries.h"
#include "images/readers/formats.h"

namespace pith::train {
namespace fs = std::filesystem;
namespace {

constexpr const char* where_to_get = "put JPEG or PNG files into it";

Dataset read(const fs::path& root, const OpenOptions& options) {
  const std::vector<fs::path> files = sorted_images(root);
  if (files.empty()) refuse_input(root.string(), "no JPEG or PNG file in it; {}", where_to_get);
  std::vector<std::string> paths;
  paths.reserve(files.size());
  for (const fs::path& file : files) paths.push_back(file.string());
  std::vector<std::uint32_t> no_labels(paths.size(), 0);
  return {.name = root.string(),
          .format = "pictures",
          .classes = 0,
          .training =
              whole(std::make_shared<ImageFiles>(std::move(paths), options.image_side), std::move(no_labels)),
          .test = {}};
}

bool recognises(const fs::path& root) {
  return !sorted_images(root).empty();
}

}  // namespace

DatasetFormat pictures_format() {
  return {.name = "pictures",
          .files = "*.jpeg or .png without labels: for embed alone",
          .where_to_get = where_to_get,
          .recognises = recognises,
          .read = read};
}

}  // namespace pith::train
