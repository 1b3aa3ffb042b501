#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

namespace bench {

/// One field of /proc/self/status, in bytes.
inline double status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field + ":")) return 1024 * std::strtod(line.c_str() + field.size() + 1, nullptr);
  return 0;
}

inline void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

}  // namespace bench
