#include "base/suggest.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pith {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_word(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  const std::size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  std::size_t best_distance = (word.size() - dashes) / 3 + 2;
  for (const std::string_view candidate : candidates) {
    // Cut short, or written out: --dimension for --dim.
    const bool begins = std::min(word.size(), candidate.size()) > dashes + 2 &&
                        (word.starts_with(candidate) || candidate.starts_with(word));
    const std::size_t distance = begins ? 1 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best);
}

}  // namespace pith
