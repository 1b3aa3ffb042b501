#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// What a page of `pith report` holds, read by a reader of the tests' own.
namespace pith::testing {

/// The JSON inside the page.
inline nlohmann::json page_data(const std::string& html) {
  const std::string begin = "id=\"pith-data\">";
  const std::size_t from = html.find(begin);
  const std::size_t end = html.find("</script>", from);
  EXPECT_NE(from, std::string::npos);
  EXPECT_NE(end, std::string::npos);
  return nlohmann::json::parse(html.substr(from + begin.size(), end - from - begin.size()));
}

/// The numbers of a packed array.
inline std::vector<double> unpacked(const nlohmann::json& column) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string text = column.at("b");
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xffU);
  }
  std::vector<double> out;
  const std::string type = column.at("t");
  const std::size_t size = type == "u8" ? 1 : type == "u16" ? 2 : 4;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    if (type == "f32") {
      float value = 0;
      std::memcpy(&value, bytes.data() + at, 4);
      out.push_back(static_cast<double>(value));
      continue;
    }
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, size);
    out.push_back(value);
  }
  return out;
}

}  // namespace pith::testing
