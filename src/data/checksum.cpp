#include "data/checksum.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <memory>
#include <new>
#include <vector>

#include "data/mapped_file.h"
#include "data/shards.h"

namespace pith {

std::string checksum_of_file(const std::string& path) {
  const auto files = is_pattern(path) ? find_shards(path) : std::vector<std::string>{path};
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  if (state == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  for (const std::string& name : files) {
    const MappedFile file(name);
    XXH3_64bits_update(state.get(), file.bytes().data(), file.bytes().size());
  }
  return fmt::format("{:016x}", XXH3_64bits_digest(state.get()));
}

std::string checksum_of_bytes(std::span<const std::byte> bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace pith
