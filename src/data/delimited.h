#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "data/bytes.h"

namespace pith {

/// Splits comma- or tab-separated text into records (RFC 4180: quoted fields may hold delimiters, line ends
/// and doubled quotes; lines end with LF or CRLF). Blanks around fields are dropped. A blank line may only be
/// followed by blank lines. A leading UTF-8 byte order mark is skipped.
class DelimitedReader {
 public:
  DelimitedReader(const Bytes& file, char delimiter)
      : text_(without_mark(file)), source_(file.name), delimiter_(delimiter) {}

  /// Reads the next record; false after the last. The fields are valid until the next call.
  bool next(std::vector<std::string_view>& fields);

  /// The line, from 1, on which the last record read starts.
  [[nodiscard]] std::size_t line() const noexcept { return record_line_; }

 private:
  static std::string_view without_mark(const Bytes& file);
  [[nodiscard]] bool is_blank(char c) const noexcept { return c == ' ' || (c == '\t' && delimiter_ != '\t'); }
  [[nodiscard]] bool at_line_end() const noexcept;
  void skip_blanks() noexcept;
  void skip_line_end() noexcept;
  std::string_view read_field();
  std::string_view read_quoted();

  std::string_view text_;
  std::string source_;
  char delimiter_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t record_line_ = 0;
  std::deque<std::string>
      unescaped_;  ///< fields of this record that are not a piece of the text as it stands
};

/// '\t' for .tsv, else ','.
[[nodiscard]] char delimiter_of(std::string_view path);

/// Whether a field may name a column: it does not begin as a number does.
[[nodiscard]] bool looks_like_name(std::string_view field) noexcept;

/// `text` as a field between commas that DelimitedReader gives back as it is: in quotes where it must be.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace pith
