#include "base/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/unique_name.h"
#include "pith/error.h"

namespace pith {

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
      throw Error(ErrorKind::io,
                  path_ + ": is no regular file, and what is there would be replaced; name another");
    std::error_code error;  // behind a link lies what is to be replaced, not the link
    if (const auto real = std::filesystem::canonical(path_, error); !error) path_ = real.string();
  } else if (std::error_code error; std::filesystem::is_symlink(path_, error)) {
    throw Error(ErrorKind::io,
                path_ + ": is a link that leads nowhere; make what it leads to, or name another");
  }
  do {
    beside_ = unique_name(path_ + ".unfinished-");
    // Not mkostemp(), whose files have a mode of their own: as for any program, the umask says who may read.
    fd_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (fd_ < 0 && errno == EEXIST);
  if (fd_ < 0) fail("create");
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (fd_ >= 0 && !in_place_) ::unlink(beside_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), std::min<std::size_t>(bytes.size(), 1U << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::put_in_place() {
  if (::fsync(fd_) != 0) fail("write");
  if (::rename(beside_.c_str(), path_.c_str()) != 0) fail("put in place");
  in_place_ = true;
  sync_folder(std::filesystem::path(path_).parent_path());
}

void OutputFile::fail(const char* action) const {
  throw Error(ErrorKind::io,
              fmt::format("{}: cannot {}: {}; check the folder, its permissions and free space", path_,
                          action, std::generic_category().message(errno)));
}

void sync_folder(const std::filesystem::path& folder) noexcept {
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace pith
