#include "images/readers/entries.h"

#include <algorithm>
#include <functional>

#include "data/refuse.h"
#include "data/text.h"

namespace pith::train {
namespace fs = std::filesystem;
namespace {

bool is_image_name(const fs::path& path) {
  const std::string ending = extension_of(path.native());
  return ending == ".jpg" || ending == ".jpeg" || ending == ".png";
}

std::vector<fs::path> sorted_entries(const fs::path& folder,
                                     const std::function<bool(const fs::directory_entry&)>& wanted) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (!at->path().filename().native().starts_with('.') && wanted(*at)) out.push_back(at->path());
  if (error) refuse(ErrorKind::io, folder.string(), "cannot list: {}", error.message());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<fs::path> sorted_folders(const fs::path& folder) {
  return sorted_entries(folder, [](const fs::directory_entry& entry) { return entry.is_directory(); });
}

std::vector<fs::path> sorted_images(const fs::path& folder) {
  return sorted_entries(folder, [](const fs::directory_entry& entry) {
    return !entry.is_directory() && is_image_name(entry.path());
  });
}

}  // namespace pith::train
