#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pith {

/// Parses untrusted JSON: refuses malformed text, nesting deeper than `most_depth` and keys that an object
/// repeats. `where` says, in the error, which part of `source` this is.
[[nodiscard]] nlohmann::json parse_json(std::string_view text, int most_depth, const std::string& source,
                                        std::string_view where);

}  // namespace pith
