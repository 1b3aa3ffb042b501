#pragma once

#include <unordered_set>
#include <vector>

#include "base/rng.h"
#include "pith/matrix.h"

namespace pith {

/// `count` different numbers below `n`, every set equally likely, in no particular order (Floyd's algorithm).
/// O(count).
[[nodiscard]] inline std::vector<Item> sample_without_repeats(std::size_t n, std::size_t count, Rng& rng) {
  std::vector<Item> chosen;
  std::unordered_set<Item> taken;
  for (std::size_t most = n - count; most < n; ++most) {
    auto item = static_cast<Item>(rng.below(most + 1));
    if (!taken.insert(item).second) {
      item = static_cast<Item>(most);
      taken.insert(item);
    }
    chosen.push_back(item);
  }
  return chosen;
}

}  // namespace pith
