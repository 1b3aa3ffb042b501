#include "base/peak_memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace pith {
namespace {

/// One field of /proc/self/status, in bytes.
std::optional<std::uint64_t> status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field + ":"))
      return 1024 * std::strtoull(line.c_str() + field.size() + 1, nullptr, 10);
  return std::nullopt;
}

}  // namespace

PeakMemory::PeakMemory() {
#ifdef __GLIBC__
  malloc_trim(0);  // what earlier work has freed is given back, or the next would seem to take nothing
#endif
  std::ofstream mark("/proc/self/clear_refs");
  mark << "5" << std::flush;
  if (mark) before_ = status_bytes("VmRSS");
}

std::optional<std::uint64_t> PeakMemory::bytes() const {
  const auto peak = status_bytes("VmHWM");
  if (!before_ || !peak) return std::nullopt;
  return *peak - std::min(*peak, *before_);
}

}  // namespace pith
