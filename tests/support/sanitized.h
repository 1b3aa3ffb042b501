#pragma once

namespace pith::testing {

/// Sanitizers hold memory of their own, keep what was freed, and take their time.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace pith::testing
