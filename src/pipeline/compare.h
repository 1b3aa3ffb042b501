#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pith/select.h"

namespace pith {

/// What one strategy chose, in the terms that all of them share.
struct ComparisonRow {
  Selection selection;
  double objective = 0;         ///< of the objective all are measured by, beyond the labelled items
  double mean_uncertainty = 0;  ///< of the kind that objective counts
  double class_entropy = 0;     ///< of the picks over the classes, / log of their number: 1 is even
  double boundary_entropy = 0;  ///< of the picks that have a boundary, likewise
  /// Distance (side length) of an item to the nearest pick or labelled item: largest and mean over all items;
  /// nothing without embeddings.
  std::optional<double> radius;
  std::optional<double> mean_distance;
  double seconds = 0;  ///< caps, objective and choosing, the graph and its triangles given
  std::optional<std::uint64_t> memory_bytes;  ///< most held at a time beyond the inputs and the graph
};

struct Comparison {
  std::vector<ComparisonRow> rows;
  std::vector<std::vector<double>> jaccard;  ///< shared picks / picks of either, rows by rows
  GraphInfo graph;
  double graph_seconds = 0;  ///< of building it once for all
};

/// Runs every strategy on one graph. `options` gives everything but the strategy's name; its objective is
/// what all are measured by, and what `submod` and its like maximise. `predictions` gives the predictions
/// with one kind of uncertainty. `besides` is held by the caller all the time.
[[nodiscard]] Comparison compare(const SelectInput& input, const SelectOptions& options,
                                 std::span<const std::string> strategies,
                                 const std::function<Predictions(UncertaintyKind)>& predictions,
                                 const Run& run, std::uint64_t besides = 0);

/// Of compare(): that of the strategy which needs most.
[[nodiscard]] Plan plan_comparison(const SelectInput& input, const SelectOptions& options,
                                   std::span<const std::string> strategies, const Run& run,
                                   std::uint64_t besides = 0);

/// Options a strategy runs with beside others: what it cannot use is left out, not refused.
[[nodiscard]] SelectOptions options_beside_others(SelectOptions options, const std::string& name);

/// Largest and mean side length from an item to the nearest of `chosen`, exactly. O(n * chosen * D) at most.
struct Coverage {
  double radius = 0;
  double mean_distance = 0;
};
[[nodiscard]] Coverage measure_coverage(const MatrixView& rows, Metric metric, std::span<const Item> chosen,
                                        const Run& run);

/// Entropy of counts / log of how many there are; 0 for fewer than two groups or nothing counted.
[[nodiscard]] double even_share(std::span<const std::int64_t> counts);

[[nodiscard]] std::string comparison_text(const Comparison& comparison);
[[nodiscard]] std::string comparison_csv(const Comparison& comparison);
[[nodiscard]] std::string comparison_json(const Comparison& comparison);

}  // namespace pith
