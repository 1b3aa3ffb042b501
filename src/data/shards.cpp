#include "data/shards.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <new>

#include "data/refuse.h"

namespace pith {
namespace {

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// Takes the run of digits off the front, and gives it without its leading zeros.
std::string_view take_number(std::string_view& text) noexcept {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::size_t first = 0;
  while (first + 1 < end && text[first] == '0') ++first;
  const std::string_view number = text.substr(first, end - first);
  text.remove_prefix(end);
  return number;
}

struct Matches {
  glob_t found{};
  Matches() = default;
  Matches(const Matches&) = delete;
  Matches& operator=(const Matches&) = delete;
  ~Matches() { ::globfree(&found); }
};

}  // namespace

bool is_pattern(const std::string& path) {
  if (path.find_first_of("*?[") == std::string::npos) return false;
  std::error_code ignored;
  return !std::filesystem::exists(path, ignored);
}

bool comes_before(std::string_view a, std::string_view b) noexcept {
  std::string_view x = a;
  std::string_view y = b;
  while (!x.empty() && !y.empty()) {
    if (is_digit(x.front()) && is_digit(y.front())) {
      const std::string_view m = take_number(x);
      const std::string_view n = take_number(y);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
      continue;
    }
    if (x.front() != y.front())
      return static_cast<unsigned char>(x.front()) < static_cast<unsigned char>(y.front());
    x.remove_prefix(1);
    y.remove_prefix(1);
  }
  if (x.empty() && y.empty()) return a < b;
  return x.empty();
}

std::vector<std::string> find_shards(const std::string& pattern) {
  Matches matches;
  const int result = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &matches.found);
  if (result == GLOB_NOSPACE) throw std::bad_alloc();
  if (result != 0)
    refuse(ErrorKind::io, pattern,
           "no file matches; check the folder and the pattern, which stands for all of a "
           "dataset's shards");
  std::vector<std::string> files(matches.found.gl_pathv, matches.found.gl_pathv + matches.found.gl_pathc);
  std::sort(files.begin(), files.end(), comes_before);
  return files;
}

}  // namespace pith
