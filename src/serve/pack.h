#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace pith::serve {

using Json = nlohmann::ordered_json;

/// JSON with arrays of numbers beside it, as web/src/serve/unpack.ts reads them: the length of a header in 4
/// bytes, the header, then the arrays, each from a multiple of 8 bytes on, little-endian. The header is
/// {"data": ..., "arrays": [{"path": "picks.index", "t": "u32", "at": offset, "n": count}, ...]}, offsets
/// counted from the first array.
class Pack {
 public:
  Json data = Json::object();

  void add(std::string path, std::span<const std::uint8_t> values) {
    add_bytes(std::move(path), "u8", values);
  }
  void add(std::string path, std::span<const std::uint16_t> values) {
    add_bytes(std::move(path), "u16", values);
  }
  void add(std::string path, std::span<const std::uint32_t> values) {
    add_bytes(std::move(path), "u32", values);
  }
  void add(std::string path, std::span<const float> values) { add_bytes(std::move(path), "f32", values); }

  [[nodiscard]] std::string bytes() const;

 private:
  template <class Value>
  void add_bytes(std::string path, const char* type, std::span<const Value> values) {
    arrays_.push_back({{"path", std::move(path)}, {"t", type}, {"at", body_.size()}, {"n", values.size()}});
    body_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    body_.append((8 - body_.size() % 8) % 8, '\0');
  }

  Json arrays_ = Json::array();
  std::string body_;
};

}  // namespace pith::serve
