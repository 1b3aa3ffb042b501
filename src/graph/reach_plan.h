#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "graph/cells.h"
#include "graph/recall_check.h"

namespace pith {

/// What it takes to meet in cells.
struct CellLoad {
  double places = 1;  ///< cells a row joins, on average
  double pairs = 0;   ///< cells that a pair of rows shares, on average
};

/// What that costs, counted in pairs of the exact search, so that it shows when all pairs are cheaper.
class CellCosts {
 public:
  CellCosts(double rows, double dimension, double cells, double sampled)
      : before_(rows * (sampled + cells * (1 + 64 / dimension))),
        place_(rows * (multiply_adds_a_member / std::max(32.0, dimension))),
        pairs_((dimension < 128 ? short_pair : long_pair) * rows * rows / 2) {}

  [[nodiscard]] double of(const CellLoad& load) const noexcept {
    return before_ + load.places * place_ + load.pairs * pairs_;
  }

 private:
  /// Time a member's candidates take beyond the products.
  static constexpr double multiply_adds_a_member = 1.2e5;
  /// A pair here against one of the exact search, whose kernel may round, and which meets short ones once.
  static constexpr double short_pair = 4.5;
  static constexpr double long_pair = 2.5;
  double before_;  ///< the sample, and finding the cells
  double place_;
  double pairs_;
};

/// What a reach is worth, told before anybody meets: an item finds a true neighbour where the two share a
/// cell, and both are known for the sampled items.
class ReachFinder {
 public:
  /// Looks at up to `places` cells a row.
  ReachFinder(const RecallCheck& check, const NeighborSearch& search, const Cells& cells, std::size_t places,
              const Run& run);

  struct Found {
    CellReach reach;
    CellLoad load;
  };
  /// The shortest reach of at least `least_places` on average that shows a recall of `recall` to err with
  /// probability error / 2 at most. Longer ones find more in the very same sample: to accept the shortest
  /// that passes is to test them from the longest down, which needs no correction for looking often. `times`:
  /// if the sample were so many times as large.
  [[nodiscard]] std::optional<Found> shortest(double recall, double error, double least_places,
                                              std::uint64_t times = 1) const;

  /// What the farthest reach of these places takes.
  [[nodiscard]] CellLoad most() const { return load_of(reach_at(gaps_.size())); }

 private:
  /// As the sampled rows have it.
  [[nodiscard]] CellLoad load_of(const CellReach& reach) const;
  [[nodiscard]] bool share_a_cell(std::size_t a, std::size_t b, const CellReach& reach) const noexcept;
  [[nodiscard]] bool passes(const CellReach& reach, double recall, double error, std::uint64_t times) const;
  [[nodiscard]] CellReach reach_at(std::size_t joined) const noexcept;
  [[nodiscard]] bool joins(std::size_t row, std::size_t place, const CellReach& reach) const noexcept {
    return place == 0 || nearest_.gaps[row * nearest_.places + place] <= reach.gap;
  }

  const RecallCheck& check_;
  const NeighborSearch& search_;
  std::unordered_map<Item, std::size_t> place_of_;  ///< of a row in nearest_
  Cells::Nearest nearest_;
  std::vector<float> gaps_;  ///< of the sampled rows to all but their nearest cells, ascending
};

}  // namespace pith
