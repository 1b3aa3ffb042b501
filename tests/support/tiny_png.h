#pragma once

#include <string>
#include <string_view>

namespace pith::testing {

/// An image of 8 x 8 pixels as a PNG file.
inline std::string tiny_png() {
  constexpr std::string_view digits =
      "89504e470d0a1a0a0000000d49484452000000080000000808020000004b6d29dc0000006c4944415478da0dc9410100"
      "3008033194a0a44aaa84e7a940094aaa68cb375545172a5c4cb1c51529aa9a6ed4b899669b6bd23f440b098b112b4e44"
      "3f4c1b199b316bcec43f861e34789861871b323f965eb4789965975bb23f8e3e74f898638f3b723f42070587091b2e24"
      "3cb02c5481f9a60b790000000049454e44ae426082";
  std::string bytes;
  for (std::size_t at = 0; at < digits.size(); at += 2)
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(at, 2)), nullptr, 16));
  return bytes;
}

}  // namespace pith::testing
