#include "pith/read.h"

#include <filesystem>
#include <utility>

#include "data/mapped_file.h"
#include "data/readers/registry.h"
#include "data/refuse.h"
#include "data/text.h"

namespace pith {
namespace {

/// Splits `file.npz:name` at the first colon that follows the extension of a format with named arrays. A file
/// that exists under the whole of `path` is meant as it stands.
std::pair<std::string, std::string> split_array(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return {path, ""};
  for (std::size_t colon = path.find(':'); colon != std::string::npos; colon = path.find(':', colon + 1)) {
    const std::string extension = extension_of(path.substr(0, colon));
    for (const Reader& reader : all_readers())
      if (reader.names_arrays && reader.extension == extension)
        return {path.substr(0, colon), path.substr(colon + 1)};
  }
  return {path, ""};
}

}  // namespace

Matrix read_matrix(const std::string& path, const ReadOptions& options) {
  auto [file_path, array] = split_array(path);
  if (!options.array.empty()) {
    if (!array.empty() && array != options.array)
      refuse(ErrorKind::bad_option, path, "names one array and the options another, {}; name it once",
             in_quotes(options.array));
    array = options.array;
  }
  const Bytes file = map_file(file_path);
  const Reader* reader = find_reader(file_path, file.data);
  if (reader == nullptr)
    refuse_unsupported(file_path, "unknown format {}; supported are {}", in_quotes(extension_of(file_path)),
                       supported_extensions());
  if (!array.empty() && !reader->names_arrays)
    refuse(ErrorKind::bad_option, file_path, "a {} file holds one array without a name; leave {} out",
           reader->extension, in_quotes(array));
  return reader->read(file, array);
}

}  // namespace pith
