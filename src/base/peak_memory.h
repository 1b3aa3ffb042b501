#pragma once

#include <cstdint>
#include <optional>

namespace pith {

/// The most memory held at a time since it was made, beyond what was held then. It resets the process's mark,
/// so two of them must not overlap.
class PeakMemory {
 public:
  PeakMemory();
  /// Bytes; nothing where the system does not tell.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const;

 private:
  std::optional<std::uint64_t> before_;
};

}  // namespace pith
