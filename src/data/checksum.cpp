#include "data/checksum.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "data/mapped_file.h"

namespace pith {

std::string checksum_of_file(const std::string& path) {
  const MappedFile file(path);
  return fmt::format("{:016x}", XXH3_64bits(file.bytes().data(), file.bytes().size()));
}

}  // namespace pith
