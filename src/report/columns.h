#pragma once

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "report/base64.h"

namespace pith {

// Arrays as the page reads them (web/src/shared/columns.ts): {"t": type, "b": base64 of little-endian
// values}.

template <class Value>
[[nodiscard]] nlohmann::ordered_json typed_column(const char* type, std::span<const Value> values) {
  std::vector<std::uint8_t> bytes(values.size_bytes());
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return {{"t", type}, {"b", base64(bytes)}};
}

/// Whole numbers from 0 up, in as few bytes each as the largest needs.
template <class Number>
[[nodiscard]] nlohmann::ordered_json whole_column(const std::vector<Number>& values) {
  const auto largest = values.empty() ? Number{0} : *std::max_element(values.begin(), values.end());
  const auto narrow = [&]<class Value>(const char* type, Value) {
    std::vector<Value> out;
    out.reserve(values.size());
    for (const Number value : values) out.push_back(static_cast<Value>(value));
    return typed_column<Value>(type, out);
  };
  if (largest <= Number{0xff}) return narrow("u8", std::uint8_t{});
  if (static_cast<std::uint64_t>(largest) <= 0xffff) return narrow("u16", std::uint16_t{});
  return narrow("u32", std::uint32_t{});
}

[[nodiscard]] inline nlohmann::ordered_json float_column(const std::vector<float>& values) {
  return typed_column<float>("f32", values);
}

}  // namespace pith
