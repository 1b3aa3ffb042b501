#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/bytes.h"

struct zip;

namespace pith {

struct ZipEntry {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint64_t compressed_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t header_offset = 0;  ///< of the entry's local header in the archive
};

/// A zip archive in memory (zip64 included). Stored entries are handed out as they lie there, deflated ones
/// are inflated by libzip, which also checks their checksum; that of stored entries is not checked, because
/// doing so would read all of a file that is otherwise read a tile at a time.
class ZipArchive {
 public:
  /// Reads the central directory; throws Error{bad_input} where it does not hold together.
  explicit ZipArchive(Bytes file);

  [[nodiscard]] const std::vector<ZipEntry>& entries() const noexcept { return entries_; }

  /// The contents of an entry, or its first `most_bytes` bytes. A view of the archive if the entry is stored.
  [[nodiscard]] Bytes read(std::size_t index, std::size_t most_bytes = SIZE_MAX) const;

 private:
  [[nodiscard]] std::size_t data_offset(const ZipEntry& entry) const;
  [[nodiscard]] Bytes inflate(std::size_t index, std::size_t bytes) const;

  Bytes file_;
  std::vector<ZipEntry> entries_;
  mutable std::shared_ptr<zip> inflater_;  ///< libzip's view of the same bytes, opened when first needed
};

}  // namespace pith
