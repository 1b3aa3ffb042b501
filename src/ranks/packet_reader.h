#pragma once

#include <string>
#include <string_view>

#include "pith/error.h"
#include "ranks/communicator.h"

namespace pith {

/// A number of values, and the values.
template <class T>
void append_many(Packet& out, std::span<const T> values) {
  append_value(out, static_cast<std::uint64_t>(values.size()));
  append_bytes(out, std::as_bytes(values));
}
template <class T>
void append_many(Packet& out, const std::vector<T>& values) {
  append_many(out, std::span<const T>(values));
}
inline void append_text(Packet& out, std::string_view text) {
  append_many(out, std::span<const char>(text));
}

/// Takes apart what append_value(), append_bytes() and append_many() put together. What says that it holds
/// more than is there ends in an Error; what the values mean is for the caller to check.
class PacketReader {
 public:
  explicit PacketReader(std::span<const std::byte> bytes) : left_(bytes) {}
  [[nodiscard]] bool done() const noexcept { return left_.empty(); }
  template <class T>
  [[nodiscard]] T value() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  [[nodiscard]] std::vector<T> values(std::size_t count) {
    if (count > left_.size() / sizeof(T)) refuse();
    return values_of<T>(take(count * sizeof(T)));
  }
  template <class T>
  [[nodiscard]] std::vector<T> many() {
    return values<T>(value<std::uint64_t>());
  }
  [[nodiscard]] std::string text() {
    const std::vector<char> text = many<char>();
    return {text.begin(), text.end()};
  }
  void skip(std::size_t bytes) { take(bytes); }
  [[nodiscard]] std::span<const std::byte> rest() { return take(left_.size()); }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorKind::bad_input, "what a rank saved or sent is cut short");
  }
  std::span<const std::byte> take(std::size_t bytes) {
    if (bytes > left_.size()) refuse();
    const auto taken = left_.first(bytes);
    left_ = left_.subspan(bytes);
    return taken;
  }
  std::span<const std::byte> left_;
};

}  // namespace pith
