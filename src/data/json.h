#pragma once

#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pith {

/// Parses untrusted JSON: refuses malformed text, nesting deeper than `most_depth` and keys that an object
/// repeats. `where` says, in the error, which part of `source` this is.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, int most_depth, const std::string& source,
                                        std::string_view where);

/// Whole and at least 0, as it stands: get() would make something of 1e30 and -1.5 as well. Throws what at()
/// and get() throw.
template <std::unsigned_integral Number>
[[nodiscard]] Number whole_number_of(const nlohmann::json& json) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<Number>::max())
    throw nlohmann::json::other_error::create(501, "not a whole number in range", nullptr);
  return static_cast<Number>(json.get<std::uint64_t>());
}

}  // namespace pith
