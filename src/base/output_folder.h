#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pith {

class OutputFile;

/// A folder of results that appears whole or not at all. Files are written into a hidden folder beside it,
/// and commit() renames that into place; a run that ends before leaves nothing. Where the folder exists
/// already, the hidden one is inside it and files are renamed one by one: the one written last is taken away
/// first and put back last, so while it is there, all of them belong together.
class OutputFolder {
 public:
  /// Fails at once where the folder could not be written later.
  explicit OutputFolder(std::filesystem::path folder);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Writes one file of the folder, to disk.
  void write(const std::string& name, std::string_view bytes);
  /// The same for what is too large to hold in memory: `writer` is given the file to write to.
  void write_in_pieces(const std::string& name, const std::function<void(OutputFile&)>& writer);
  /// Puts everything written in place.
  void commit();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_; }

 private:
  std::filesystem::path folder_;
  bool exists_ = false;  ///< the folder was there before
  std::filesystem::path hidden_;
  std::vector<std::string> names_;
};

/// Throws Error{io} where a file at `path` could not be written: found out before the work rather than after.
void require_writable_place(const std::filesystem::path& path);

}  // namespace pith
