#pragma once

#include <span>
#include <vector>

#include "base/parallel.h"
#include "objective/objective.h"
#include "pith/matrix.h"

namespace pith {

/// What a greedy asks of a strategy: how much an item is worth now. Scores must never rise while S only
/// grows.
class Oracle {
 public:
  virtual ~Oracle() = default;
  /// Worth of adding `item` to S; of a member of S, what it is worth keeping.
  [[nodiscard]] virtual double score(Item item) = 0;
  /// score() of many at once, for oracles that gain from it (see batch()).
  virtual void score_all(std::span<const Item> items, std::span<double> out) {
    for (std::size_t at = 0; at < items.size(); ++at) out[at] = score(items[at]);
  }
  /// How many of the next in line are worth scoring together with this one, itself included.
  [[nodiscard]] virtual std::size_t batch(Item /*item*/) const { return 1; }
  /// `item` will probably be scored soon: a chance to fetch what that needs.
  virtual void expect(Item /*item*/) const {}
  virtual void add(Item item) = 0;
  virtual void remove(Item item) = 0;
  /// Appends the items whose score may depend on whether `item` is in S.
  virtual void influenced(Item /*item*/, std::vector<Item>& /*out*/) const {}
};

/// A fixed score for every item.
class ModularOracle final : public Oracle {
 public:
  explicit ModularOracle(std::vector<double> scores) : scores_(std::move(scores)) {}
  [[nodiscard]] double score(Item item) override { return scores_[item]; }
  void add(Item /*item*/) override {}
  void remove(Item /*item*/) override {}

 private:
  std::vector<double> scores_;
};

/// The marginal gains of f.
class ObjectiveOracle final : public Oracle {
 public:
  ObjectiveOracle(const Objective& objective, const Graph& graph, const Run& run = {})
      : state_(objective), graph_(graph), reach_(objective.reach()), run_(run) {}
  [[nodiscard]] double score(Item item) override { return state_.gain(item); }
  void score_all(std::span<const Item> items, std::span<double> out) override {
    parallel_for(run_, items.size(), 1 << 14, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
      for (std::size_t at = begin; at < end; ++at) out[at] = state_.gain(items[at]);
    });
  }
  void expect(Item item) const override { state_.expect(item); }
  void add(Item item) override { state_.add(item); }
  void remove(Item item) override { state_.remove(item); }
  void influenced(Item item, std::vector<Item>& out) const override {
    if (reach_ == Reach::nobody) return;
    if (reach_ == Reach::everybody) {
      for (Item other = 0; other < graph_.size(); ++other) out.push_back(other);
      return;
    }
    const auto neighbors = graph_.neighbors(item);
    out.insert(out.end(), neighbors.begin(), neighbors.end());
    if (reach_ == Reach::neighbors) return;
    for (const Item neighbor : neighbors) {
      const auto second = graph_.neighbors(neighbor);
      out.insert(out.end(), second.begin(), second.end());
    }
  }

 private:
  ObjectiveState state_;
  const Graph& graph_;
  Reach reach_;
  Run run_;
};

}  // namespace pith
