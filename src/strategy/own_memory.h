#pragma once

namespace pith {

/// What the memory of a strategy depends on, as numbers to reckon with.
struct StrategySize {
  double items = 0;
  double dimension = 0;
  double classes = 0;
  double entries = 0;  ///< of a row of the graph
  double budget = 0;   ///< picks and labelled items
  double state = 0;    ///< bytes of f's state
  bool floats = true;  ///< rows can be looked at as floats where they lie
};

// Bytes each family holds while it chooses, beyond the graph, f and the predictions. Each is the sum of its
// arrays; what depends on the data is said at its definition.

[[nodiscard]] double memory_of_greedy(const StrategySize& size);
[[nodiscard]] double memory_of_objective(const StrategySize& size);
[[nodiscard]] double memory_of_centers(const StrategySize& size);
[[nodiscard]] double memory_of_gist(const StrategySize& size);
[[nodiscard]] double memory_of_badge(const StrategySize& size);
[[nodiscard]] double memory_of_dpp(const StrategySize& size);
[[nodiscard]] double memory_of_medoids(const StrategySize& size);
[[nodiscard]] double memory_of_mmd(const StrategySize& size);
[[nodiscard]] double memory_of_rows(const StrategySize& size);
[[nodiscard]] double memory_of_cover(const StrategySize& size);
[[nodiscard]] double memory_of_typiclust(const StrategySize& size);
[[nodiscard]] double memory_of_merging(const StrategySize& size);

}  // namespace pith
