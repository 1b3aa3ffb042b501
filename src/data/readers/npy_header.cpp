#include "data/readers/npy_header.h"

#include <bit>
#include <optional>
#include <string_view>

#include "data/readers/shape.h"
#include "data/refuse.h"

namespace pith {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_dimensions = 64;

/// The Python literal of an .npy header: a dictionary of strings, booleans and tuples of whole numbers.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = parse_string();
      expect(':');
      if (key == "descr" && !has_descr) {
        has_descr = true;
        header.descr = parse_descr();
      } else if (key == "fortran_order" && !has_order) {
        has_order = true;
        header.fortran_order = parse_bool();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        header.shape = parse_shape();
      } else {
        fail("key " + in_quotes(key) + " is unknown or repeated");
      }
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_blanks();
    if (!text_.empty()) fail("text follows the dictionary");
    if (!has_descr || !has_order || !has_shape) fail("descr, fortran_order or shape is missing");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    refuse_input(source_, "bad .npy header: {}; save the array again with numpy.save", why);
  }

  void skip_blanks() {
    const std::size_t stop = text_.find_first_not_of(" \t\r\n");
    text_.remove_prefix(stop == std::string_view::npos ? text_.size() : stop);
  }

  bool accept(char wanted) {
    skip_blanks();
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail(fmt::format("expected '{}' before {}", wanted, in_quotes(text_.substr(0, 12))));
  }

  std::string parse_string() {
    skip_blanks();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) fail("expected a string");
    const char quote = text_.front();
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) fail("a string does not end");
    std::string out(text_.substr(1, end - 1));
    if (out.find('\\') != std::string::npos) fail("a string holds a backslash");
    text_.remove_prefix(end + 1);
    return out;
  }

  std::string parse_descr() {
    skip_blanks();
    if (!text_.empty() && (text_.front() == '[' || text_.front() == '('))
      refuse_unsupported(
          source_,
          "structured dtype {}... is not supported; save one plain array of float16, float32 or float64",
          printable(text_.substr(0, 24)));
    return parse_string();
  }

  bool parse_bool() {
    skip_blanks();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    fail("fortran_order is neither True nor False");
  }

  std::vector<std::uint64_t> parse_shape() {
    std::vector<std::uint64_t> shape;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      const std::size_t digits = std::min(text_.find_first_not_of("0123456789"), text_.size());
      const std::optional<std::uint64_t> extent = parse_unsigned(text_.substr(0, digits));
      if (digits > 1 && text_.front() == '0') fail("shape holds a number that starts with 0");
      if (!extent) fail("shape holds " + in_quotes(text_.substr(0, 24)) + ", not a whole number below 2^64");
      shape.push_back(*extent);
      if (shape.size() > most_dimensions) fail("shape has too many dimensions");
      text_.remove_prefix(digits);
      if (text_.starts_with('L')) text_.remove_prefix(1);  // Python 2 wrote its long integers so
      if (accept(',')) continue;
      if (shape.size() == 1) fail("shape is not a tuple");
      expect(')');
      break;
    }
    return shape;
  }

  std::string_view text_;
  const std::string& source_;
};

/// Splits a dtype such as "<f4" into order, letter and size; leaves kind 0 where it has another form.
void classify(NpyHeader& header) {
  std::string_view text = header.descr;
  if (text.empty()) return;
  const char order =
      std::string_view("<>=|").find(text.front()) == std::string_view::npos ? '=' : text.front();
  if (order == text.front()) text.remove_prefix(1);
  if (text.empty()) return;
  const std::optional<std::uint64_t> size = parse_unsigned(text.substr(1));
  if (!size || *size == 0 || *size > 16 || (order == '|' && *size > 1)) return;
  constexpr bool little = std::endian::native == std::endian::little;
  header.kind = text.front();
  header.item_bytes = *size;
  header.byte_swapped = *size > 1 && (little ? order == '>' : order == '<');
}

}  // namespace

bool has_npy_magic(std::span<const std::byte> start) noexcept {
  return Bytes{start, {}, {}}.text().starts_with(magic);
}

NpyHeader parse_npy_header(std::span<const std::byte> start, const std::string& source) {
  if (start.empty()) refuse_input(source, "the file is empty, not an .npy array; save it with numpy.save");
  if (!has_npy_magic(start))
    refuse_input(source,
                 "not an .npy array: it does not start with the bytes \\x93NUMPY; save it with numpy.save");
  const auto byte_at = [&](std::size_t at) -> std::size_t {
    if (at >= start.size())
      refuse_input(source, "truncated: the .npy header ends after {} bytes; copy the file again",
                   start.size());
    return std::to_integer<std::size_t>(start[at]);
  };
  const std::size_t version = byte_at(6);
  if (version < 1 || version > 3 || byte_at(7) != 0)
    refuse_unsupported(source,
                       ".npy version {}.{} is not supported (supported: 1.0, 2.0, 3.0); save with numpy.save",
                       version, byte_at(7));
  std::size_t length = byte_at(8) | byte_at(9) << 8;
  std::size_t begin = 10;
  if (version >= 2) {
    length |= byte_at(10) << 16 | byte_at(11) << 24;
    begin = 12;
  }
  if (length > npy_header_limit - begin)
    refuse_unsupported(source, ".npy header of {} bytes is too long for a plain array; save one plain array",
                       length);
  if (length > start.size() - begin)
    refuse_input(source,
                 "truncated: the .npy header is {} bytes but the file ends after {} of them; "
                 "copy the file again",
                 length, start.size() - begin);
  NpyHeader header = HeaderParser(Bytes{start.subspan(begin, length), {}, {}}.text(), source).parse();
  classify(header);
  header.data_offset = begin + length;
  return header;
}

void check_npy_size(const NpyHeader& header, std::size_t file_bytes, const std::string& source) {
  const std::size_t needed = array_bytes(source, header.shape, header.item_bytes);
  const std::size_t present = file_bytes - header.data_offset;
  if (present < needed)
    refuse_input(source,
                 "truncated: shape {} of {} needs {} bytes of data but {} are there; copy the file again",
                 shape_text(header.shape), header.descr, needed, present);
  if (present > needed)
    refuse_input(source,
                 "{} bytes follow the array: shape {} of {} needs {} but {} are there; "
                 "save one array per .npy file",
                 present - needed, shape_text(header.shape), header.descr, needed, present);
}

}  // namespace pith
