#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pith::train {

/// All bytes of a file; of a gzip file, recognised by its first bytes, what it unpacks to. Throws Error{io}
/// where it cannot be read and Error{bad_input} where a gzip file is damaged; `remedy` ends the latter.
[[nodiscard]] std::vector<std::uint8_t> read_unpacked(const std::string& path, const std::string& remedy);

}  // namespace pith::train
