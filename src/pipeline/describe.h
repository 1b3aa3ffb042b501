#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pith/predictions.h"

namespace pith {

/// What the class probabilities look like, without labels to judge them by.
struct PredictionReport {
  std::vector<std::int64_t> class_sizes;  ///< items predicted as each class
  std::vector<std::uint32_t> empty_classes;
  /// Boundaries with at least one item, largest first.
  std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::int64_t>> boundaries;
  std::int64_t beyond_boundaries = 0;               ///< items too certain to belong to any
  std::array<std::int64_t, 10> margin_histogram{};  ///< margin score in tenths
  double mean_margin = 0;
  double mean_confidence = 0;
  double certain_share = 0;  ///< share of items whose best probability exceeds 0.99
  std::vector<std::string> warnings;
};

/// `doubt` holds 1 - best probability of each item.
[[nodiscard]] PredictionReport describe_predictions(const Predictions& predictions,
                                                    const std::vector<double>& doubt, double tau);

}  // namespace pith
