#pragma once

#include <cstdint>
#include <vector>

#include "constraint/balance.h"

namespace pith {

/// How much room the caps have left as S grows and shrinks.
class CapTracker {
 public:
  explicit CapTracker(const Balance& balance) : classes_(balance.classes), boundaries_(balance.boundaries) {}

  [[nodiscard]] bool admits(Item item) const noexcept {
    return classes_.admits(item) && boundaries_.admits(item);
  }
  /// `item` will be asked about soon.
  void expect(Item item) const noexcept {
    __builtin_prefetch(&classes_.group_of[item]);
    __builtin_prefetch(&boundaries_.group_of[item]);
  }
  void take(Item item) noexcept {
    classes_.shift(item, -1);
    boundaries_.shift(item, -1);
  }
  void release(Item item) noexcept {
    classes_.shift(item, 1);
    boundaries_.shift(item, 1);
  }
  /// Room left in a group; meaningless where the constraint is off.
  [[nodiscard]] std::int64_t class_room(std::uint32_t group) const noexcept { return classes_.room[group]; }
  [[nodiscard]] std::int64_t boundary_room(std::uint32_t group) const noexcept {
    return boundaries_.room[group];
  }

 private:
  struct Side {
    explicit Side(const Partition& its) : partition(its), group_of(its.group_of), active(its.active) {
      room.reserve(partition.groups());
      for (std::size_t group = 0; group < partition.groups(); ++group) room.push_back(partition.room(group));
    }
    [[nodiscard]] bool admits(Item item) const noexcept {
      if (!active) return true;
      if (group_of[item] != no_group && room[group_of[item]] <= 0) return false;
      if (partition.further == 0) return true;
      bool fits = true;
      partition.for_each_group(item, [&](std::uint32_t group) { fits = fits && room[group] > 0; });
      return fits;
    }
    void shift(Item item, std::int64_t by) noexcept {
      if (active) partition.for_each_group(item, [&](std::uint32_t group) { room[group] += by; });
    }
    const Partition& partition;
    const std::vector<std::uint32_t>& group_of;
    bool active;
    std::vector<std::int64_t> room;
  };
  Side classes_;
  Side boundaries_;
};

}  // namespace pith
