#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pith::testing {

/// Of sorted values, between two of them as numpy does: counted from the nearer one, so that equal ones give
/// just that.
inline double quantile_of(const std::vector<double>& sorted, double quantile) {
  const double position = quantile * static_cast<double>(sorted.size() - 1);
  const auto lower = static_cast<std::size_t>(position);
  const double low = sorted[lower];
  const double high = sorted[std::min(lower + 1, sorted.size() - 1)];
  const double fraction = position - static_cast<double>(lower);
  return fraction < 0.5 ? low + (high - low) * fraction : high - (high - low) * (1 - fraction);
}

}  // namespace pith::testing
