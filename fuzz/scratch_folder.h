#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

namespace pith::fuzz {

/// A folder in memory where the system has one, for loaders that take a folder. Gone when the process ends.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name =
        std::filesystem::is_directory("/dev/shm") ? "/dev/shm/pith-fuzz-XXXXXX" : "/tmp/pith-fuzz-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  void write(const char* name, std::string_view contents) const {
    std::ofstream file(std::filesystem::path(path_) / name, std::ios::binary | std::ios::trunc);
    file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  }

 private:
  std::string path_;
};

/// The input up to a line of two percent signs, which is taken away with it.
inline std::string_view take_part(std::string_view& text) {
  constexpr std::string_view cut = "\n%%\n";
  const std::size_t end = text.find(cut);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + cut.size());
  return part;
}

}  // namespace pith::fuzz
