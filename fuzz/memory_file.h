#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <span>
#include <string>

namespace pith::fuzz {

/// A file that lives in memory only, for loaders that take a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::byte> contents) : fd_(::memfd_create("fuzz", 0)) {
    for (std::size_t at = 0; at < contents.size();) {
      const ssize_t written = ::write(fd_, contents.data() + at, contents.size() - at);
      if (written <= 0) break;
      at += static_cast<std::size_t>(written);
    }
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace pith::fuzz
