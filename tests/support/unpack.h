#pragma once

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pith::testing {

/// What pith::serve::Pack wrote, read as the page reads it.
struct Unpacked {
  explicit Unpacked(const std::string& bytes) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    const auto header = nlohmann::json::parse(bytes.substr(sizeof length, length));
    data = header.at("data");
    const std::size_t body = sizeof length + length;
    for (const nlohmann::json& array : header.at("arrays")) {
      const std::string type = array.at("t");
      const std::size_t size = type == "u8" ? 1 : type == "u16" ? 2 : 4;
      std::vector<double>& values = arrays[array.at("path").get<std::string>()];
      for (std::size_t at = 0; at < array.at("n").get<std::size_t>(); ++at) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, bytes.data() + body + array.at("at").get<std::size_t>() + at * size, size);
        float real = 0;
        std::memcpy(&real, &bits, sizeof real);
        values.push_back(type == "f32" ? static_cast<double>(real) : static_cast<double>(bits));
      }
    }
  }

  [[nodiscard]] std::vector<std::int64_t> whole(const std::string& path) const {
    return {arrays.at(path).begin(), arrays.at(path).end()};
  }

  nlohmann::json data;
  std::map<std::string, std::vector<double>> arrays;
};

}  // namespace pith::testing
