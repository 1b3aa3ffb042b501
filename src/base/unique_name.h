#pragma once

#include <string>
#include <string_view>

namespace pith {

/// `start` with six letters and digits behind it that nobody can foresee.
[[nodiscard]] std::string unique_name(std::string_view start);

}  // namespace pith
