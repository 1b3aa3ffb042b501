#pragma once

#include <optional>
#include <vector>

#include "base/parallel.h"
#include "constraint/cap_tracker.h"
#include "strategy/registry.h"

namespace pith {

/// The picks of a strategy that is not a lazy greedy: keeps to pool, caps and budget, so that the strategy
/// only says whom it wants next.
class PickList {
 public:
  explicit PickList(const StrategyInput& input);

  [[nodiscard]] const std::vector<Pick>& picks() const noexcept { return picks_; }
  [[nodiscard]] bool full() const noexcept { return picks_.size() >= wanted_; }
  /// Whether the item can be taken now. What cannot be taken now never can later: caps only fill.
  [[nodiscard]] bool is_open(Item item) const noexcept { return open_[item] != 0 && caps_.admits(item); }
  void take(Item item, double score);

  /// Fills what is left of the budget with the open items of the largest scores, and brings the picks to the
  /// feasible size by augmentation, which judges by the same scores.
  [[nodiscard]] std::vector<Pick> complete(std::vector<double> scores) &&;

 private:
  const StrategyInput& input_;
  std::size_t wanted_;
  CapTracker caps_;
  std::vector<std::uint8_t> open_;  ///< a candidate not taken yet
  std::vector<Pick> picks_;
};

/// Items a thread visits at a time. Fixed, so that sums by chunk do not depend on the threads.
inline constexpr std::size_t sweep_chunk = 2048;

/// Visits every open item, in parallel, and gives the one of the largest value, ties to the lower index;
/// nothing where none is open. `visit` gives an item's value, and may change that item's state.
template <class Visit>
std::optional<Pick> find_best(const PickList& list, std::size_t items, const Run& run, Visit visit) {
  std::vector<std::optional<Pick>> best((items + sweep_chunk - 1) / sweep_chunk);
  parallel_for(run, items, sweep_chunk, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    std::optional<Pick> mine;
    for (auto item = static_cast<Item>(begin); item < end; ++item) {
      if (!list.is_open(item)) continue;
      const double value = visit(item);
      if (!mine || value > mine->score) mine = Pick{.item = item, .score = value};
    }
    best[begin / sweep_chunk] = mine;
  });
  std::optional<Pick> found;
  for (const std::optional<Pick>& one : best)
    if (one && (!found || one->score > found->score)) found = one;
  return found;
}

/// Items that go together. A group waits for as many rounds as it has labelled items already.
struct PickGroup {
  std::vector<Item> members;  ///< in the order they are wanted
  std::size_t size = 0;       ///< of the whole group, labelled items and all
  std::size_t labelled = 0;
};

/// Largest first, ties in the order they stand.
void sort_by_size(std::vector<PickGroup>& groups);

/// Groups take turns, first group first: each gives its next open item, until the budget is met or nobody has
/// any. The score of a pick is minus the round it was taken in.
void pick_in_turns(const std::vector<PickGroup>& groups, PickList& list, const Run& run);

}  // namespace pith
