#pragma once

#include <chrono>

namespace pith {

/// For what is told to people; nothing is decided by it.
[[nodiscard]] inline double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace pith
