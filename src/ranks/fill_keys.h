#pragma once

#include <cstdint>
#include <vector>

#include "constraint/balance.h"
#include "ranks/pick_key.h"

namespace pith {

/// Classes, boundaries and the budget as one list of groups with caps: the budget is the cap of a group that
/// everybody belongs to. Constraints that are off have no groups here.
class CapGroups {
 public:
  CapGroups(const Balance& balance, std::int64_t budget)
      : balance_(balance),
        classes_(balance.classes.active ? balance.classes.groups() : 0),
        boundaries_(balance.boundaries.active ? balance.boundaries.groups() : 0) {
    for (std::size_t group = 0; group < classes_; ++group) room_.push_back(balance.classes.room(group));
    for (std::size_t group = 0; group < boundaries_; ++group) room_.push_back(balance.boundaries.room(group));
    room_.push_back(budget);
  }

  /// How many more each group can take, from here on.
  [[nodiscard]] const std::vector<std::int64_t>& room() const noexcept { return room_; }
  void take(Item item) {
    for_each_group(item, [&](std::size_t group) { --room_[group]; });
  }
  [[nodiscard]] bool admits(Item item) const {
    bool fits = true;
    for_each_group(item, [&](std::size_t group) { fits = fits && room_[group] > 0; });
    return fits;
  }

  template <class Visit>
  void for_each_group(Item item, Visit visit) const {
    if (classes_ != 0) balance_.classes.for_each_group(item, [&](std::uint32_t group) { visit(group); });
    if (boundaries_ != 0)
      balance_.boundaries.for_each_group(item, [&](std::uint32_t group) { visit(classes_ + group); });
    visit(room_.size() - 1);
  }

 private:
  const Balance& balance_;
  std::size_t classes_;
  std::size_t boundaries_;
  std::vector<std::int64_t> room_;
};

/// For every group the key of the pick that fills it: whoever comes after that key is refused. first() where
/// it is full already, last() where it never fills.
class FillKeys {
 public:
  /// With nothing known: only groups without room refuse.
  explicit FillKeys(const CapGroups& groups) {
    for (const std::int64_t room : groups.room())
      keys_.push_back(room > 0 ? PickKey::last() : PickKey::first());
  }

  [[nodiscard]] bool refuses(const CapGroups& groups, const PickKey& key) const {
    bool refused = false;
    groups.for_each_group(key.item,
                          [&](std::size_t group) { refused = refused || keys_[group].before(key); });
    return refused;
  }

  /// What picks made in this order fill, those left out that come after a group of theirs is full.
  static FillKeys settle(const CapGroups& groups, const std::vector<PickKey>& in_order) {
    FillKeys found(groups);
    CapGroups left = groups;
    for (const PickKey& key : in_order) {
      if (!left.admits(key.item)) continue;
      left.take(key.item);
      left.for_each_group(key.item, [&](std::size_t group) {
        if (left.room()[group] == 0) found.keys_[group] = key;
      });
    }
    return found;
  }

  /// The first key at which a group's filling differs; last() where none does.
  [[nodiscard]] PickKey first_difference(const FillKeys& other) const {
    PickKey found = PickKey::last();
    for (std::size_t group = 0; group < keys_.size(); ++group) {
      if (keys_[group] == other.keys_[group]) continue;
      for (const PickKey& key : {keys_[group], other.keys_[group]})
        if (key.before(found)) found = key;
    }
    return found;
  }
  friend bool operator==(const FillKeys&, const FillKeys&) = default;

 private:
  std::vector<PickKey> keys_;
};

}  // namespace pith
