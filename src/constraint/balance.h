#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "pith/matrix.h"
#include "pith/options.h"
#include "pith/predictions.h"

namespace pith {

inline constexpr std::uint32_t no_group = std::numeric_limits<std::uint32_t>::max();

/// One partition matroid: items fall into groups, group g may hold at most cap[g] of them. Items that are
/// already labelled stand in S from the start: they fill their group's cap and are never candidates.
struct Partition {
  bool active = false;  ///< false: the constraint is off, but groups and counts are still there
  /// Of each item; no_group: this constraint does not touch it. Excluded items keep their class (nothing
  /// counts them there) and belong to no boundary.
  std::vector<std::uint32_t> group_of;
  /// Groups beyond the first that an item belongs to, `further` an item, no_group where it has fewer. Where
  /// there are any, this is no matroid: an item may use up several caps.
  std::uint32_t further = 0;
  std::vector<std::uint32_t> further_groups = {};
  std::vector<std::int64_t> available;      ///< candidates in each group
  std::vector<std::int64_t> labelled;       ///< already labelled items in each group
  std::vector<std::int64_t> cap_requested;  ///< by rule or file, labelled items included
  std::vector<std::int64_t> cap;            ///< in force: the requested one, or higher where relaxed

  [[nodiscard]] std::size_t groups() const noexcept { return cap.size(); }
  /// Calls visit(group) for every group the item belongs to.
  template <class Visit>
  void for_each_group(Item item, Visit visit) const {
    if (group_of[item] != no_group) visit(group_of[item]);
    for (std::size_t at = item * std::size_t{further}; at < (item + std::size_t{1}) * further; ++at)
      if (further_groups[at] != no_group) visit(further_groups[at]);
  }
  /// How many more items group g can take; unlimited (its candidates) where the constraint is off.
  [[nodiscard]] std::int64_t room(std::size_t group) const noexcept {
    return active ? std::max<std::int64_t>(0, cap[group] - labelled[group]) : available[group];
  }
};

/// Which items can be chosen, and what is already there.
struct Pool {
  enum class State : std::uint8_t { candidate, labelled, excluded };
  std::vector<State> state;                   ///< of each item
  std::vector<Item> labelled;                 ///< in file order, no repeats
  std::vector<std::uint32_t> labelled_class;  ///< given label of each of those; no_group: none given

  static Pool of_all(std::size_t n);
  [[nodiscard]] std::size_t candidates() const noexcept;
};

/// Both constraints. Classes are the pseudo-labels; boundary b is the unordered pair boundary_pairs[b],
/// listed in ascending order and only where at least one item that is not excluded belongs to it.
struct Balance {
  Partition classes;
  Partition boundaries;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> boundary_pairs;
};

/// Groups, counts and requested caps, before any relaxing. `kind` says which constraints are active.
[[nodiscard]] Balance make_balance(const Predictions& predictions, const Pool& pool, std::int64_t budget,
                                   BalanceKind kind, const BalanceOptions& options);

}  // namespace pith
