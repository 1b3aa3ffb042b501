#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace pith {

/// One line of a cap file: class `low`, or the boundary {low, high} with low < high.
struct CapLine {
  std::uint32_t low = 0;
  std::uint32_t high = 0;  ///< equal to low in a file of class caps
  std::int64_t cap = 0;
};

/// `class,cap` a line. A header, blank lines, text after #, blanks around fields, CRLF and a byte-order mark
/// are allowed. Throws Error: bad_input, naming file, line, value and remedy; io where the file cannot be
/// read.
[[nodiscard]] std::vector<CapLine> read_class_caps(const std::filesystem::path& path, std::uint32_t classes);

/// `class,class,cap` a line, the two classes in either order.
[[nodiscard]] std::vector<CapLine> read_boundary_caps(const std::filesystem::path& path,
                                                      std::uint32_t classes);

}  // namespace pith
