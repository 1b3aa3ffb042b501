#include <fmt/format.h>

#include "base/suggest.h"
#include "data/refuse.h"
#include "images/readers/formats.h"

namespace pith::train {
namespace fs = std::filesystem;
namespace {

constexpr const char* packaged_fashion_mnist = "/usr/share/datasets/fashion-mnist";

std::string all_files() {
  std::string text;
  for (const DatasetFormat& format : dataset_formats())
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", format.name, format.files);
  return text;
}

const DatasetFormat& format_named(const std::string& name) {
  std::vector<std::string_view> names = {"auto"};
  for (const DatasetFormat& format : dataset_formats()) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  const std::string nearest = nearest_word(name, names);
  throw Error(ErrorKind::bad_option,
              fmt::format("--format: '{}' given{}; choose {}", name,
                          nearest.empty() ? "" : ", did you mean '" + nearest + "'?", format_names()));
}

/// A folder that is not there may still be recognised by its name, and its origin told.
std::string guess_where_to_get(const fs::path& folder) {
  const std::string name =
      folder.filename().empty() ? folder.parent_path().filename().string() : folder.filename().string();
  if (name.find("100") != std::string::npos && name.find("cifar") != std::string::npos)
    return cifar100_format().where_to_get;
  if (name.find("cifar") != std::string::npos) return cifar10_format().where_to_get;
  if (name.find("mnist") != std::string::npos) return idx_format().where_to_get;
  return "check the path";
}

}  // namespace

const std::vector<DatasetFormat>& dataset_formats() {
  static const std::vector<DatasetFormat> formats = {cifar10_format(), cifar100_format(), idx_format(),
                                                     arrays_format(),  folder_format(),   pictures_format()};
  return formats;
}

std::string format_names() {
  std::string text = "auto";
  for (const DatasetFormat& format : dataset_formats())
    text += (&format == &dataset_formats().back() ? " or " : ", ") + format.name;
  return text;
}

Dataset open_dataset(const OpenOptions& options) {
  const fs::path folder = options.path == "fashion-mnist" ? packaged_fashion_mnist : options.path;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    refuse(ErrorKind::io, folder.string(), "{}; {}",
           fs::exists(folder, ignored) ? "not a folder" : "no such folder",
           options.format == "auto" ? guess_where_to_get(folder) : format_named(options.format).where_to_get);
  if (options.format != "auto") return format_named(options.format).read(folder, options);
  for (const DatasetFormat& format : dataset_formats())
    if (format.recognises(folder)) return format.read(folder, options);
  refuse_input(folder.string(), "no dataset that Pith knows is in this folder; it looks for {}", all_files());
}

}  // namespace pith::train
