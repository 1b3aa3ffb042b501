#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace pith {

/// Which of the arrays in a file is meant: the one `asked` for by name; else the only one; else the only one
/// for which is_matrix(i) holds. Refuses everything else, and lists the names.
[[nodiscard]] std::size_t pick_array(const std::string& source, std::span<const std::string> names,
                                     const std::string& asked,
                                     const std::function<bool(std::size_t)>& is_matrix);

}  // namespace pith
