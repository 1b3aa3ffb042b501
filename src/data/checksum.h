#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace pith {

/// XXH3 (64 bits, hex) of a file's bytes.
[[nodiscard]] std::string checksum_of_file(const std::string& path);
[[nodiscard]] std::string checksum_of_bytes(std::span<const std::byte> bytes);

}  // namespace pith
