#include "data/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <system_error>

#include "data/lost_pages.h"
#include "data/refuse.h"

namespace pith {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

[[noreturn]] void refuse_file(const std::string& path, const char* action, int error) {
  refuse(ErrorKind::io, path, "cannot {}: {}; check the path and its permissions", action,
         std::generic_category().message(error));
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) refuse_file(path, "open", errno);
  struct stat status {};
  if (::fstat(file.fd, &status) != 0) refuse_file(path, "read", errno);
  if (S_ISDIR(status.st_mode)) refuse_file(path, "open", EISDIR);
  if (!S_ISREG(status.st_mode))
    refuse(ErrorKind::io, path, "cannot map: not a regular file; save the data to a file first");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* mapping = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (mapping == MAP_FAILED) refuse_file(path, "map", errno);
  data_ = static_cast<const std::byte*>(mapping);
  note_mapping(bytes(), path);
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  forget_mapping(bytes());
  ::munmap(const_cast<std::byte*>(data_), size_);
}

Bytes map_file(const std::string& path) {
  auto file = std::make_shared<const MappedFile>(path);
  const std::span<const std::byte> data = file->bytes();
  return {.data = data, .owner = std::move(file), .name = path};
}

void advise_sequential(std::span<const std::byte> bytes) noexcept {
  if (bytes.empty()) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t into_page = reinterpret_cast<std::uintptr_t>(bytes.data()) % page;
  // Memory that is no mapping may refuse the hint, which is as good as taking it.
  const int saved = errno;
  (void)::madvise(const_cast<std::byte*>(bytes.data()) - into_page, bytes.size() + into_page,
                  MADV_SEQUENTIAL);
  errno = saved;
}

}  // namespace pith
