#include <xxhash.h>

#include <cstring>

#include "fuzz_target.h"
#include "report/map.h"

/// As it is, and with its checksum put right.
PITH_FUZZ_TARGET(map_file) {
  std::string bytes(reinterpret_cast<const char*>(input.data()), input.size());
  (void)pith::parse_map(bytes, "key");
  constexpr std::size_t sum_bytes = sizeof(std::uint64_t);
  if (bytes.size() < sum_bytes) return;
  const std::uint64_t sum = XXH3_64bits(bytes.data(), bytes.size() - sum_bytes);
  std::memcpy(bytes.data() + bytes.size() - sum_bytes, &sum, sum_bytes);
  if (const auto map = pith::parse_map(bytes, "key"); map && pith::map_bytes(*map, "key") != bytes)
    std::abort();
}
