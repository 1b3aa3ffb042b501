#include "base/output_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/output_file.h"
#include "base/unique_name.h"
#include "pith/error.h"

namespace pith {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void fail(const fs::path& path, const char* what, int error) {
  throw Error(ErrorKind::io, fmt::format("{}: {}: {}", path.string(), what, std::strerror(error)));
}

void rename_to(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return;
  throw Error(ErrorKind::io, fmt::format("{}: cannot put in place: {}; remove what is in the way, or choose "
                                         "another folder",
                                         to.string(), std::strerror(errno)));
}

/// Where a folder that is not there yet is to be: behind a link, what .. leads to is for the system to say.
fs::path place_of_new(const fs::path& path) {
  std::error_code error;
  fs::path place = fs::weakly_canonical(path, error);
  if (error) fail(path, "cannot write here", error.value());
  if (place.is_relative()) place = fs::absolute(place);
  return place.has_filename() ? place : place.parent_path();
}

/// The nearest folder above `at` that exists, or what stands in its way.
fs::path existing_parent(fs::path at) {
  struct stat status {};
  do {
    at = at.parent_path();
    if (::stat(at.c_str(), &status) == 0) break;
    if (errno != ENOENT && errno != ENOTDIR) fail(at, "cannot write here", errno);
  } while (at.has_relative_path());
  return at;
}

}  // namespace

OutputFolder::OutputFolder(fs::path folder) : folder_(std::move(folder)) {
  struct stat status {};
  if (::stat(folder_.c_str(), &status) == 0) {
    if (!S_ISDIR(status.st_mode))
      throw Error(ErrorKind::io,
                  fmt::format("{}: exists and is not a folder; choose another --out", folder_.string()));
    exists_ = true;
  } else if (errno != ENOENT && errno != ENOTDIR) {
    fail(folder_, "cannot write here", errno);
  } else if (fs::is_symlink(folder_.has_filename() ? folder_ : folder_.parent_path())) {
    throw Error(
        ErrorKind::io,
        fmt::format("{}: is a link that leads nowhere; make the folder behind it, or choose another --out",
                    folder_.string()));
  }
  // Within a folder that exists: it may be a link or a mounted volume, and what is above it may be read-only.
  const fs::path parent = exists_ ? fs::absolute(folder_) : existing_parent(place_of_new(folder_));
  int made = -1;
  do {
    hidden_ = parent / unique_name(".pith-unfinished-");
    made = ::mkdir(hidden_.c_str(), 0777);
  } while (made != 0 && errno == EEXIST);
  if (made != 0)
    throw Error(ErrorKind::io,
                fmt::format("{}: cannot write into this folder: {}; choose another --out, or see to "
                            "its permissions and space",
                            parent.string(), std::strerror(errno)));
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!hidden_.empty()) fs::remove_all(hidden_, ignored);
}

void OutputFolder::write(const std::string& name, std::string_view bytes) {
  write_in_pieces(name, [&](OutputFile& file) { file.write(bytes); });
}

void OutputFolder::write_in_pieces(const std::string& name, const std::function<void(OutputFile&)>& writer) {
  OutputFile file((hidden_ / name).string());
  writer(file);
  file.put_in_place();
  names_.push_back(name);
}

void OutputFolder::commit() {
  sync_folder(hidden_);
  std::error_code error;
  const fs::path place = exists_ ? fs::absolute(folder_) : place_of_new(folder_);
  if (!exists_) {
    fs::create_directories(place.parent_path(), error);
    if (error) fail(place.parent_path(), "cannot create", error.value());
    if (::rename(hidden_.c_str(), place.c_str()) == 0) {
      hidden_.clear();
      sync_folder(place.parent_path());
      return;
    }
    // Somebody has made and filled the folder in the meantime: rename(2) replaces an empty one, but no other.
    if (errno != ENOTEMPTY && errno != EEXIST) fail(place, "cannot put in place", errno);
  }
  fs::remove(place / names_.back(), error);
  for (const std::string& name : names_) rename_to(hidden_ / name, place / name);
  sync_folder(place);
}

void require_writable_place(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    throw Error(ErrorKind::io, fmt::format("{}: is a folder; name a file in it", path.string()));
  const OutputFile probe(path.string());
}

}  // namespace pith
