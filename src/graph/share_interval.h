#pragma once

#include <cstdint>
#include <span>

namespace pith {

/// A mean share and an interval for it.
struct RecallEstimate {
  double recall = 1;
  double low = 1;
  double high = 1;
};

/// From a random sample of items, found[j] of which found j of their k = found.size() - 1 true neighbours.
/// The mean over all items lies outside with probability `error` at most, half of it on each side, whatever
/// the shares look like: docs/graph.md has the proof. O(k) a step of a bisection.
[[nodiscard]] RecallEstimate estimate_recall(std::span<const std::uint64_t> found, double error);

}  // namespace pith
