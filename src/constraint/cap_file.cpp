#include "constraint/cap_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "data/delimited.h"
#include "data/text.h"
#include "pith/error.h"

namespace pith {
namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = line.find(',', begin);
    fields.push_back(trimmed(line.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return fields;
    begin = comma + 1;
  }
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class CapFileReader {
 public:
  CapFileReader(const std::filesystem::path& path, std::uint32_t classes, std::size_t keys)
      : path_(path), classes_(classes), keys_(keys) {}

  std::vector<CapLine> read() {
    std::ifstream in(path_, std::ios::binary);
    if (!in) {
      throw Error(ErrorKind::io,
                  fmt::format("{}: cannot open the cap file; check the path, or write a number or uniform",
                              printable(path_.string())));
    }
    std::string line;
    bool header_possible = true;
    while (std::getline(in, line)) {
      ++line_number_;
      std::string_view text = line_number_ == 1 ? without_bom(line) : line;
      text = trimmed(text.substr(0, text.find('#')));
      if (text.empty()) continue;
      read_line(fields_of(text), header_possible);
      header_possible = false;
    }
    if (in.bad()) {
      throw Error(ErrorKind::io,
                  fmt::format("{}: cannot read the cap file; is it a directory?", printable(path_.string())));
    }
    return std::move(lines_);
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw Error(ErrorKind::bad_input,
                fmt::format("{}:{}: {}", printable(path_.string()), line_number_, problem));
  }

  [[nodiscard]] const char* layout() const { return keys_ == 1 ? "class,cap" : "class,class,cap"; }

  std::int64_t number(std::string_view field, const char* what) const {
    const auto value = whole_number(field);
    if (!value) {
      refuse(fmt::format("{} {} is not a number; write {} in whole numbers below 2^63", what,
                         in_quotes(field), layout()));
    }
    return *value;
  }

  std::uint32_t class_number(std::string_view field) const {
    const std::int64_t value = number(field, "class");
    if (value < 0 || value >= static_cast<std::int64_t>(classes_)) {
      refuse(fmt::format("class {} is out of range; the probabilities have {} columns, so use 0 to {}", value,
                         classes_, static_cast<std::int64_t>(classes_) - 1));
    }
    return static_cast<std::uint32_t>(value);
  }

  void read_line(const std::vector<std::string_view>& fields, bool header_possible) {
    if (fields.size() != keys_ + 1) {
      refuse(fmt::format("found {} field{} where {} has {}; write one {} a line", fields.size(),
                         fields.size() == 1 ? "" : "s", layout(), keys_ + 1, layout()));
    }
    if (header_possible && std::all_of(fields.begin(), fields.end(), looks_like_name)) return;
    CapLine line;
    line.low = class_number(fields[0]);
    line.high = keys_ == 1 ? line.low : class_number(fields[1]);
    if (keys_ == 2 && line.low == line.high) {
      refuse(fmt::format("class {} is paired with itself; a boundary lies between two different classes",
                         line.low));
    }
    if (line.low > line.high) std::swap(line.low, line.high);
    line.cap = number(fields.back(), "cap");
    if (line.cap < 0) {
      refuse(fmt::format("cap {} is negative; use 0 to take none, or leave the line out for the default",
                         line.cap));
    }
    const auto [earlier, is_new] =
        first_line_.try_emplace((std::uint64_t{line.low} << 32U) | line.high, line_number_);
    if (!is_new) {
      const std::string group =
          keys_ == 1 ? fmt::format("class {}", line.low) : fmt::format("boundary {},{}", line.low, line.high);
      refuse(
          fmt::format("{} is repeated, first on line {}; keep one of the two lines", group, earlier->second));
    }
    lines_.push_back(line);
  }

  const std::filesystem::path& path_;
  std::uint32_t classes_;
  std::size_t keys_;  ///< classes that name a group: 1 or 2
  std::size_t line_number_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> first_line_;
  std::vector<CapLine> lines_;
};

}  // namespace

std::vector<CapLine> read_class_caps(const std::filesystem::path& path, std::uint32_t classes) {
  return CapFileReader(path, classes, 1).read();
}

std::vector<CapLine> read_boundary_caps(const std::filesystem::path& path, std::uint32_t classes) {
  return CapFileReader(path, classes, 2).read();
}

}  // namespace pith
