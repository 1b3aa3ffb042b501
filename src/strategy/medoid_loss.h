#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "strategy/oracle.h"
#include "strategy/registry.h"

namespace pith {

/// Sum over items of the length to the nearest medoid among their graph neighbours and themselves; an item
/// that has none pays the longest edge there is. Excluded items pay nothing. Lengths are whole multiples of
/// 2^-30 of the longest edge, so that sums are exact and their order does not matter.
///
/// As an oracle, score() is what the loss falls by with one more medoid.
class MedoidLoss final : public Oracle {
 public:
  MedoidLoss(const Graph& graph, const Pool& pool);

  [[nodiscard]] double score(Item item) override {
    return static_cast<double>(is_medoid_[item] != 0 ? removal_loss_[item] : -addition_change(item));
  }
  void add(Item item) override { change(item, true); }
  void remove(Item item) override { change(item, false); }
  void influenced(Item item, std::vector<Item>& out) const override;

  static constexpr std::int64_t longest = std::int64_t{1} << 30;
  /// How much more the items of a medoid would pay without it.
  [[nodiscard]] std::int64_t removal_loss(Item medoid) const noexcept { return removal_loss_[medoid]; }
  /// Medoids by removal loss, then index.
  [[nodiscard]] const std::set<std::pair<std::int64_t, Item>>& medoids() const noexcept { return medoids_; }

  /// The change of the loss if `added` took the place of a medoid, as
  ///     addition + removal_loss(medoid) + correction(medoid),
  /// where only the medoids of the items around `added` have a correction, listed here (Schubert, Rousseeuw
  /// 2021). O(neighbours).
  struct Exchange {
    std::int64_t addition = 0;
    std::vector<std::pair<Item, std::int64_t>> corrections;  ///< by medoid, ascending
  };
  void weigh(Item added, Exchange& out) const;

 private:
  static constexpr Item nobody = static_cast<Item>(-1);
  struct Nearest {
    Item medoid = nobody;
    std::int64_t first = longest;
    std::int64_t second = longest;
  };
  template <class Body>
  void for_ball(Item item, Body body) const;
  [[nodiscard]] Nearest look_around(Item item) const;
  [[nodiscard]] std::int64_t addition_change(Item item) const;
  void change(Item item, bool into_set);
  void shift(Item medoid, std::int64_t by);

  const Graph& graph_;
  const Pool& pool_;
  std::vector<std::int32_t> lengths_;  ///< of the graph's edges, in its order
  std::vector<std::uint8_t> is_medoid_;
  std::vector<Nearest> nearest_;
  std::vector<std::int64_t> removal_loss_;
  std::set<std::pair<std::int64_t, Item>> medoids_;
};

}  // namespace pith
