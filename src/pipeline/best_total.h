#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "constraint/balance.h"
#include "pipeline/weight_relaxation.h"

namespace pith {

/// The largest total weight of at most `budget` candidates that respects one partition matroid: the best of
/// each group up to its room, then the best of those. Groups are laid out once, for many weightings. O(n)
/// each.
class BestTotal final : public WeightRelaxation {
 public:
  BestTotal(const Partition& partition, const Pool& pool, std::int64_t budget);

  /// The last group: items without one.
  [[nodiscard]] Answer solve(std::span<const double> weights, const Run& run) const override;
  [[nodiscard]] bool takes(const Answer& answer, std::span<const double> weights,
                           Item item) const noexcept override {
    return weights[item] > 0 && weights[item] >= answer.least_taken &&
           weights[item] >= answer.least_taken_of_group[group_of(item)];
  }

 private:
  [[nodiscard]] std::size_t group_of(Item item) const noexcept {
    const std::uint32_t group = partition_.active ? partition_.group_of[item] : no_group;
    return group == no_group ? partition_.groups() : group;
  }

  const Partition& partition_;
  std::size_t budget_;
  std::vector<Item> items_;           ///< candidates, sorted by group
  std::vector<std::size_t> offsets_;  ///< of the groups in items_
  std::vector<std::size_t> keep_;     ///< how many of each group may be taken
  std::vector<std::size_t> kept_at_;  ///< where they go
};

}  // namespace pith
