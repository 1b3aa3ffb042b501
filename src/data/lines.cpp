#include "data/lines.h"

#include <algorithm>

#include "data/text.h"

namespace pith {

LineReader::LineReader(const Bytes& file) : rest_(without_bom(file.text())) {
  const std::size_t last = rest_.find_last_not_of(" \t\r\n");
  const std::size_t end = last == std::string_view::npos ? 0 : rest_.find('\n', last);
  rest_ = rest_.substr(0, std::min(end, rest_.size()));
}

bool LineReader::next(std::string_view& line) {
  if (rest_.empty()) return false;
  const std::size_t end = rest_.find('\n');
  line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++line_;
  return true;
}

}  // namespace pith
