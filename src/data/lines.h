#pragma once

#include <cstddef>
#include <string_view>

#include "data/bytes.h"

namespace pith {

/// The lines of a text, without their ends (LF or CRLF). Blank lines at the end of the text are left out;
/// others are lines like any. A leading UTF-8 byte order mark is skipped.
class LineReader {
 public:
  explicit LineReader(const Bytes& file);

  bool next(std::string_view& line);

  /// The number, from 1, of the last line read.
  [[nodiscard]] std::size_t line() const noexcept { return line_; }

 private:
  std::string_view rest_;
  std::size_t line_ = 0;
};

}  // namespace pith
