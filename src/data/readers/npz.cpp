#include "data/readers/npz.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "data/readers/npy.h"
#include "data/readers/pick_array.h"
#include "data/readers/zip_archive.h"
#include "data/refuse.h"
#include "pith/error.h"

namespace pith {
namespace {

constexpr std::string_view suffix = ".npy";

/// An array that cannot even be looked at is no candidate; it is complained of only when asked for by name.
bool holds_float_matrix(const ZipArchive& archive, std::size_t entry) {
  try {
    const Bytes start = archive.read(entry, npy_header_limit);
    return is_float_matrix(parse_npy_header(start.data, start.name));
  } catch (const Error&) {
    return false;
  }
}

bool is_torch_file(const ZipArchive& archive) {
  return std::any_of(archive.entries().begin(), archive.entries().end(),
                     [](const auto& entry) { return entry.name.ends_with("data.pkl"); });
}

}  // namespace

Matrix read_npz(const Bytes& file, const std::string& array) {
  const ZipArchive archive(file);
  std::vector<std::string> names;
  std::vector<std::size_t> entries;
  for (std::size_t i = 0; i < archive.entries().size(); ++i) {
    const std::string& name = archive.entries()[i].name;
    if (!name.ends_with(suffix)) continue;
    names.push_back(name.substr(0, name.size() - suffix.size()));
    entries.push_back(i);
  }
  if (names.empty() && is_torch_file(archive))
    refuse_unsupported(file.name,
                       "is what torch.save() wrote, which only Python can read; save numpy.save(path, "
                       "tensor.detach().cpu().numpy()), or safetensors");
  const std::size_t picked = pick_array(file.name, names, array, [&](std::size_t candidate) {
    return holds_float_matrix(archive, entries[candidate]);
  });
  Bytes contents = archive.read(entries[picked]);
  contents.name = file.name + ":" + names[picked];
  return read_npy(contents);
}

}  // namespace pith
