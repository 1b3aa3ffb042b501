#pragma once

// Slow, obvious twins of src/constraint/feasibility.h: item by item, no cells, no reductions.

#include <cstdint>
#include <optional>
#include <vector>

#include "constraint/feasibility.h"

namespace slow {

inline std::vector<pith::Item> candidates(const pith::Pool& pool) {
  std::vector<pith::Item> items;
  for (std::size_t i = 0; i < pool.state.size(); ++i) {
    if (pool.state[i] == pith::Pool::State::candidate) items.push_back(static_cast<pith::Item>(i));
  }
  return items;
}

/// Room of a group as docs/method.md means it: the cap less what is labelled, never negative; huge where
/// unconstrained.
inline std::int64_t room(const pith::Partition& partition, std::uint32_t group) {
  if (!partition.active || group == pith::no_group) return std::int64_t{1} << 40;
  return std::max<std::int64_t>(0, partition.cap[group] - partition.labelled[group]);
}

/// Largest feasible subset, by trying all 2^candidates of them.
inline std::int64_t feasible_size_by_subsets(const pith::Balance& balance, const pith::Pool& pool) {
  const auto items = candidates(pool);
  const auto fits = [&](const pith::Partition& partition, std::uint64_t subset) {
    for (std::uint32_t g = 0; g < partition.groups(); ++g) {
      std::int64_t held = 0;
      for (std::size_t i = 0; i < items.size(); ++i) {
        held += static_cast<std::int64_t>((subset >> i) & 1U) * (partition.group_of[items[i]] == g ? 1 : 0);
      }
      if (held > room(partition, g)) return false;
    }
    return true;
  };
  std::int64_t best = 0;
  for (std::uint64_t subset = 0; subset < (std::uint64_t{1} << items.size()); ++subset) {
    const std::int64_t size = __builtin_popcountll(subset);
    if (size > best && fits(balance.classes, subset) && fits(balance.boundaries, subset)) best = size;
  }
  return best;
}

/// Largest feasible subset, by augmenting paths over single items.
class ItemFlow {
 public:
  ItemFlow(const pith::Balance& balance, const pith::Pool& pool)
      : balance_(balance), items_(candidates(pool)), taken_(items_.size(), false) {}

  std::int64_t size() {
    std::int64_t size = 0;
    while (augment()) ++size;
    return size;
  }

 private:
  [[nodiscard]] bool has_room(const pith::Partition& partition, std::uint32_t group) const {
    std::int64_t held = 0;
    for (std::size_t i = 0; i < items_.size(); ++i)
      held += taken_[i] && partition.group_of[items_[i]] == group ? 1 : 0;
    return held < room(partition, group);
  }

  bool augment() {
    visited_.assign(items_.size(), false);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!taken_[i] && !visited_[i] && has_room(balance_.classes, balance_.classes.group_of[items_[i]]) &&
          add(i)) {
        return true;
      }
    }
    return false;
  }

  /// Takes item i, for whose class there is a place, and makes a place in its boundary if need be: an item
  /// of that boundary leaves, and another of the leaver's class comes in instead.
  bool add(std::size_t i) {
    visited_[i] = true;
    const std::uint32_t boundary = balance_.boundaries.group_of[items_[i]];
    if (has_room(balance_.boundaries, boundary)) {
      taken_[i] = true;
      return true;
    }
    for (std::size_t out = 0; out < items_.size(); ++out) {
      if (!taken_[out] || visited_[out] || balance_.boundaries.group_of[items_[out]] != boundary) continue;
      visited_[out] = true;
      for (std::size_t in = 0; in < items_.size(); ++in) {
        if (taken_[in] || visited_[in]) continue;
        if (balance_.classes.group_of[items_[in]] != balance_.classes.group_of[items_[out]]) continue;
        if (add(in)) {
          taken_[out] = false;
          taken_[i] = true;
          return true;
        }
      }
    }
    return false;
  }

  const pith::Balance& balance_;
  std::vector<pith::Item> items_;
  std::vector<bool> taken_;
  std::vector<bool> visited_;
};

inline std::int64_t feasible_size(const pith::Balance& balance, const pith::Pool& pool) {
  return ItemFlow(balance, pool).size();
}

/// relax_caps by trying every level, and every factor m / cap, in ascending order.
class SlowRelaxer {
 public:
  SlowRelaxer(pith::Balance balance, const pith::Pool& pool) : balance_(std::move(balance)), pool_(pool) {}

  /// The balance with the caps raised as docs/method.md says.
  pith::Balance relaxed(std::int64_t budget) {
    const auto n = static_cast<std::int64_t>(pool_.state.size());
    set_classes(n + 1);
    set_boundaries(n + 1, 1);
    const std::int64_t goal = std::min(budget, feasible_size(balance_, pool_));
    set_boundaries(1, 1);
    if (const auto level = least_level(goal, n)) {
      set_classes(*level);
      return balance_;
    }
    std::int64_t raised = 0;
    std::int64_t requested = 0;
    for (const std::int64_t cap : balance_.boundaries.cap_requested) {
      for (std::int64_t m = cap; cap > 0 && m <= n; ++m) {
        if (raised != 0 && m * requested >= raised * cap) continue;
        set_classes(n + 1);
        set_boundaries(m, cap);
        if (feasible_size(balance_, pool_) < goal) continue;
        raised = m;
        requested = cap;
      }
    }
    set_boundaries(raised, requested);
    set_classes(*least_level(goal, n));
    return balance_;
  }

 private:
  void set_classes(std::int64_t level) {
    pith::Partition& classes = balance_.classes;
    for (std::size_t g = 0; g < classes.groups(); ++g) {
      const std::int64_t requested = classes.cap_requested[g];
      classes.cap[g] = classes.active && requested > 0 ? std::max(requested, level) : requested;
    }
  }
  void set_boundaries(std::int64_t raised, std::int64_t requested) {
    pith::Partition& boundaries = balance_.boundaries;
    if (!boundaries.active) return;
    for (std::size_t g = 0; g < boundaries.groups(); ++g) {
      boundaries.cap[g] = boundaries.cap_requested[g] * raised / requested;
    }
  }
  std::optional<std::int64_t> least_level(std::int64_t goal, std::int64_t most) {
    for (std::int64_t level = 0; level <= most; ++level) {
      set_classes(level);
      if (feasible_size(balance_, pool_) >= goal) return level;
    }
    return std::nullopt;
  }

  pith::Balance balance_;
  const pith::Pool& pool_;
};

}  // namespace slow
