#include "images/item_ids.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace pith::train {
namespace {

constexpr std::string_view of_training = "#train:";
constexpr std::string_view of_test = "#test:";

}  // namespace

std::vector<std::string> ids_of(const Part& items, const std::string& folder, std::string_view part) {
  const std::string absolute = std::filesystem::absolute(folder).lexically_normal().string();
  const bool packed = items.size() > 0 && items.source->picture(items.indices.front());
  std::vector<std::string> ids;
  ids.reserve(items.size());
  for (const Item index : items.indices) {
    const std::string path = items.source->path_of(index);
    if (path.empty() && !packed) return {};
    ids.push_back(packed ? fmt::format("{}{}{}", absolute, part == "test" ? of_test : of_training, index)
                         : std::filesystem::absolute(path).lexically_normal().string());
  }
  return ids;
}

std::optional<PackedImage> packed_image(std::string_view id) {
  for (const std::string_view mark : {of_training, of_test}) {
    const std::size_t at = id.rfind(mark);
    if (at == std::string_view::npos) continue;
    PackedImage image{.folder = std::string(id.substr(0, at)), .of_test = mark == of_test};
    const std::string_view digits = id.substr(at + mark.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), image.index);
    if (error == std::errc() && end == digits.data() + digits.size()) return image;
  }
  return std::nullopt;
}

std::string id_lines(const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += id + "\n";
  return text;
}

}  // namespace pith::train
