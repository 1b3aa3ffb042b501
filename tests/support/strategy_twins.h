#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "graph/metric.h"
#include "support/strategy_data.h"

namespace pith::testing {

/// Room in the classes as a selection left its caps, to follow its picks from the beginning.
class ClassRoom {
 public:
  ClassRoom(const StrategyData& data, const Selection& selection)
      : best_(data.input.predictions.best), active_(selection.class_caps_active) {
    for (const GroupRow& row : selection.class_groups) room_.push_back(row.cap - row.labelled);
  }
  [[nodiscard]] bool admits(Item item) const { return !active_ || room_[best_[item]] > 0; }
  void take(Item item) { --room_[best_[item]]; }
  void give_back(Item item) { ++room_[best_[item]]; }

 private:
  const std::vector<std::uint32_t>& best_;
  bool active_;
  std::vector<std::int64_t> room_;
};

/// One run of a strategy on small data, for a twin to follow. Caps on classes only, every other time: with
/// one kind of caps a greedy always meets its budget, so that no augmentation blurs the picture.
struct TwinCase {
  StrategyData data;
  SelectOptions options;
  Selection selection;

  TwinCase(const char* strategy, std::uint64_t seed, std::size_t most_items = 45)
      : TwinCase(StrategyData(seed, most_items), strategy, seed) {}

  TwinCase(StrategyData its_data, const char* strategy, std::uint64_t seed,
           void (*adjust)(SelectOptions&) = nullptr)
      : data(std::move(its_data)) {
    options.strategy = strategy;
    options.seed = seed;
    options.graph.metric = static_cast<Metric>(seed % 3);
    options.balance.balance = seed / 3 % 2 == 0 ? BalanceKind::none : BalanceKind::class_only;
    options.budget.amount = static_cast<std::int64_t>(1 + seed % data.candidates());
    if (adjust != nullptr) adjust(options);
    data.input.graph = build_graph(data.input.embeddings, options.graph);
    selection = select(data.input, options);
  }

  [[nodiscard]] Metric metric() const { return options.graph.metric; }
  [[nodiscard]] const Graph& graph() const { return *data.input.graph; }
  [[nodiscard]] std::vector<Item> picks() const { return items_of(selection); }

  [[nodiscard]] double dissimilarity_of(Item a, Item b) const {
    return dissimilarity(metric(), data.row(a), data.row(b), data.dimension,
                         squared_norm(data.row(a), data.dimension),
                         squared_norm(data.row(b), data.dimension));
  }
  [[nodiscard]] double length_of(Item a, Item b) const {
    if (a == b) return 0;
    const double d = dissimilarity_of(a, b);
    return metric() == Metric::cosine ? std::sqrt(2 * d) : d;
  }
  /// Distance to the mean of all rows.
  [[nodiscard]] double to_mean(Item item) const {
    std::vector<double> sum(data.dimension, 0.0);
    for (Item other = 0; other < data.n; ++other)
      for (std::size_t d = 0; d < data.dimension; ++d) sum[d] += static_cast<double>(data.row(other)[d]);
    std::vector<float> mean;
    for (const double s : sum) mean.push_back(static_cast<float>(s / static_cast<double>(data.n)));
    return dissimilarity(metric(), data.row(item), mean.data(), data.dimension,
                         squared_norm(data.row(item), data.dimension),
                         squared_norm(mean.data(), data.dimension));
  }

  /// Follows the picks: at every step, value(item, chosen) of the one taken must be the largest of all that
  /// could be, within `tolerance` relatively; with none, ties must have gone to the lower index. `chosen` are
  /// the labelled items and the picks before.
  template <class Value>
  void expect_greedy(Value value, double tolerance = 0) const {
    ClassRoom room(data, selection);
    std::vector<Item> chosen = data.input.labelled;
    std::vector<bool> open(data.n);
    for (Item item = 0; item < data.n; ++item) open[item] = data.is_candidate(item);
    for (const Item pick : picks()) {
      std::optional<Item> best;
      double most = 0;
      for (Item item = 0; item < data.n; ++item) {
        if (!open[item] || !room.admits(item)) continue;
        const double here = value(item, chosen);
        if (!best || here > most) {
          best = item;
          most = here;
        }
      }
      ASSERT_TRUE(best.has_value());
      ASSERT_TRUE(open[pick] && room.admits(pick)) << pick;
      if (tolerance == 0) {
        ASSERT_EQ(pick, *best) << "after " << chosen.size();
      } else {
        ASSERT_GE(value(pick, chosen), most - tolerance * (1 + std::abs(most))) << pick << " for " << *best;
      }
      open[pick] = false;
      room.take(pick);
      chosen.push_back(pick);
    }
  }
};

/// Runs `body(seed)` for many seeds, naming the one that fails.
template <class Body>
void for_seeds(std::uint64_t count, Body body) {
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    body(seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace pith::testing
