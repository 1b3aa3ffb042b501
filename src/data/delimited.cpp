#include "data/delimited.h"

#include "data/refuse.h"
#include "data/text.h"

namespace pith {

std::string_view DelimitedReader::without_mark(const Bytes& file) {
  return without_bom(file.text());
}

bool DelimitedReader::at_line_end() const noexcept {
  if (at_ == text_.size() || text_[at_] == '\n') return true;
  return text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n');
}

void DelimitedReader::skip_blanks() noexcept {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

void DelimitedReader::skip_line_end() noexcept {
  if (at_ < text_.size() && text_[at_] == '\r') ++at_;
  if (at_ < text_.size()) ++at_;
  ++line_;
}

bool DelimitedReader::next(std::vector<std::string_view>& fields) {
  fields.clear();
  unescaped_.clear();
  skip_blanks();
  if (at_line_end()) {
    const std::size_t blank_line = line_;
    while (at_ < text_.size() && at_line_end()) {
      skip_line_end();
      skip_blanks();
    }
    if (at_ == text_.size()) return false;
    refuse_input(source_, "line {} is blank but rows follow it; remove the blank line", blank_line);
  }
  record_line_ = line_;
  for (;;) {
    fields.push_back(read_field());
    if (at_line_end()) break;
    ++at_;  // past the delimiter
  }
  skip_line_end();
  return true;
}

std::string_view DelimitedReader::read_field() {
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == '"') return read_quoted();
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') ++at_;
  std::size_t end = at_;
  if (at_line_end() && end > begin && text_[end - 1] == '\r') --end;
  while (end > begin && is_blank(text_[end - 1])) --end;
  return text_.substr(begin, end - begin);
}

std::string_view DelimitedReader::read_quoted() {
  const std::size_t opened_on = line_;
  const std::size_t begin = ++at_;
  bool escapes = false;
  for (;; ++at_) {
    if (at_ == text_.size())
      refuse_input(source_, "line {}: a quoted field is never closed; add the missing \"", opened_on);
    if (text_[at_] == '\n') ++line_;
    if (text_[at_] != '"') continue;
    if (at_ + 1 == text_.size() || text_[at_ + 1] != '"') break;
    escapes = true;
    ++at_;
  }
  std::string_view field = text_.substr(begin, at_ - begin);
  ++at_;
  skip_blanks();
  if (!at_line_end() && text_[at_] != delimiter_)
    refuse_input(source_, "line {}: text follows the closing quote of {}; double the quotes inside a field",
                 line_, in_quotes(field));
  if (!escapes) return field;
  std::string& out = unescaped_.emplace_back();
  for (std::size_t i = 0; i < field.size(); ++i) {
    out += field[i];
    if (field[i] == '"') ++i;
  }
  return out;
}

char delimiter_of(std::string_view path) {
  return extension_of(path) == ".tsv" ? '\t' : ',';
}

bool looks_like_name(std::string_view field) noexcept {
  return !field.empty() && std::string_view("+-.0123456789").find(field.front()) == std::string_view::npos;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos && trimmed(text) == text)
    return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace pith
