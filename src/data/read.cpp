#include "pith/read.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "data/join_rows.h"
#include "data/mapped_file.h"
#include "data/readers/registry.h"
#include "data/refuse.h"
#include "data/shards.h"
#include "data/text.h"

namespace pith {
namespace {

/// Splits `file.npz:name` after the extension of a format with named arrays.
std::pair<std::string, std::string> split_array(const std::string& path) {
  return split_after_extension(path, [](std::string_view extension) {
    const auto readers = all_readers();
    return std::any_of(readers.begin(), readers.end(), [&](const Reader& reader) {
      return reader.names_arrays && reader.extension == extension;
    });
  });
}

Matrix read_file(const std::string& path, const std::string& array) {
  const Bytes file = map_file(path);
  const Reader* reader = find_reader(path, file.data);
  if (reader == nullptr)
    refuse_unsupported(path, "unknown format {}; supported are {}", in_quotes(extension_of(path)),
                       supported_extensions());
  if (!array.empty() && !reader->names_arrays)
    refuse(ErrorKind::bad_option, path, "a {} file holds one array without a name; leave {} out",
           reader->extension, in_quotes(array));
  return reader->read(file, array);
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
  if (!is_pattern(file_path)) return read_file(file_path, array);
  std::vector<Matrix> shards;
  for (const std::string& file : find_shards(file_path)) shards.push_back(read_file(file, array));
  return shards.size() == 1 ? shards.front() : join_rows(shards, path);
}

}  // namespace pith
