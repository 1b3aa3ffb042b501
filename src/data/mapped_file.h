#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "data/bytes.h"

namespace pith {

/// A file mapped into memory, read-only. An empty file has no bytes and no mapping. Reading a byte that the
/// file lost after it was mapped ends the process (SIGBUS), as with every mapping: see explain_lost_pages().
class MappedFile {
 public:
  /// Throws Error{io} where `path` is not a regular file that can be read.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The whole file, kept mapped as long as the result's owner lives, under its path as name.
[[nodiscard]] Bytes map_file(const std::string& path);

/// Tells the system that these mapped bytes are about to be read once, front to back. A hint: never fails.
void advise_sequential(std::span<const std::byte> bytes) noexcept;

}  // namespace pith
