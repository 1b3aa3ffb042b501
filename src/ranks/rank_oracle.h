#pragma once

#include <vector>

#include "ranks/rank_scene.h"
#include "strategy/oracle.h"

namespace pith {

/// The gains of f on every rank, kept up to date by an exchange at each change of S. Every rank must ask and
/// change in the same order, as code that decides by scores alone does. So whatever runs on an Oracle
/// (augmentation, the other optimizers) gives on all ranks what it gives on one machine. Memory: 8 bytes an
/// item.
class RankOracle final : public Oracle {
 public:
  RankOracle(Communicator& ranks, const RankScene& scene);

  /// Many at once, for one exchange.
  void add_all(std::span<const Item> items);

  [[nodiscard]] double score(Item item) override { return scores_[item]; }
  void add(Item item) override { shift(item, true); }
  void remove(Item item) override { shift(item, false); }
  /// Of the item added or removed last: all that a caller asks for.
  void influenced(Item item, std::vector<Item>& out) const override;

 private:
  struct Changed {
    Item item = 0;
    double score = 0;
  };
  void shift(Item item, bool into_set);
  void gather_scores();

  Communicator& ranks_;
  const RankGraph& graph_;
  ObjectiveState state_;
  std::vector<double> scores_;
  Item last_shifted_ = 0;
  std::vector<Item> last_influenced_;
  std::vector<Item> touched_;
};

}  // namespace pith
