#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace pith {

/// A file written beside its final place, which it takes only once it is whole and on disk. Without
/// put_in_place() nothing is left of it. Failures are Error{io} that name the file and the reason.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void put_in_place();

 private:
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  std::string beside_;
  int fd_ = -1;
  bool in_place_ = false;
};

/// Makes renames in a folder last. A system that cannot sync folders keeps the files all the same.
void sync_folder(const std::filesystem::path& folder) noexcept;

}  // namespace pith
