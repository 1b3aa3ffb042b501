#include "constraint/cap_file.h"
#include "fuzz_target.h"
#include "memory_file.h"

/// As class caps, and as boundary caps.
PITH_FUZZ_TARGET(cap_file) {
  const pith::fuzz::MemoryFile file(input);
  try {
    for (const pith::CapLine& line : pith::read_class_caps(file.path(), 10))
      if (line.low >= 10 || line.cap < 0) std::abort();
  } catch (const pith::Error&) {
  }
  for (const pith::CapLine& line : pith::read_boundary_caps(file.path(), 10))
    if (line.low >= line.high || line.high >= 10 || line.cap < 0) std::abort();
}
