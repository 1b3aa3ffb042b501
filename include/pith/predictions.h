#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pith/matrix.h"
#include "pith/options.h"
#include "pith/run.h"

namespace pith {

/// What selection needs to know of the class probabilities: 16 to 24 bytes an item instead of L numbers, and
/// 12 for each boundary beyond the first.
struct Predictions {
  std::uint32_t classes = 0;              ///< L
  std::vector<std::uint32_t> best;        ///< arg max, ties to the lower class
  std::vector<std::uint32_t> second;      ///< arg max of the rest, ties to the lower class
  std::vector<double> margin;             ///< 1 - (best - second best probability), in [0,1]
  std::vector<double> other_uncertainty;  ///< entropy / log L or 1 - best, where asked for; else empty
  UncertaintyKind kind = UncertaintyKind::margin;  ///< of uncertainty()
  /// Where more than one boundary an item is asked for: the next best classes after the second, `further` of
  /// them an item, and 1 - (best - that class's probability). no_class where there are no more.
  std::uint32_t further = 0;
  std::vector<std::uint32_t> further_class = {};
  std::vector<double> further_margin = {};

  static constexpr std::uint32_t no_class = 0xffffffff;

  [[nodiscard]] std::size_t size() const noexcept { return best.size(); }
  [[nodiscard]] std::span<const double> uncertainty() const noexcept {
    return other_uncertainty.empty() ? margin : other_uncertainty;
  }
};

/// Class probabilities by one model, or by several (an ensemble, dropout at prediction time): the same items
/// and classes in each. Everything but the strategies that compare the members looks at their mean.
struct ClassProbabilities {
  std::vector<Matrix> members;
  bool logits = false;  ///< the numbers are logits and go through a stable softmax, before the mean

  [[nodiscard]] bool empty() const noexcept { return members.empty(); }
  [[nodiscard]] std::size_t items() const noexcept { return empty() ? 0 : members.front().rows(); }
  [[nodiscard]] std::size_t classes() const noexcept { return empty() ? 0 : members.front().cols(); }
};

/// Reads every row once. Rows must be probabilities (checked: finite, not negative, sum 1 within the
/// tolerance of the scalar type), or logits, which go through a stable softmax in double. An item can be told
/// to belong to up to `boundaries_per_item` boundaries later on.
[[nodiscard]] Predictions read_predictions(const Matrix& probabilities, bool logits, UncertaintyKind kind,
                                           const Run& run = {}, std::uint32_t boundaries_per_item = 1);
/// The same of the members' mean.
[[nodiscard]] Predictions read_predictions(const ClassProbabilities& probabilities, UncertaintyKind kind,
                                           const Run& run = {}, std::uint32_t boundaries_per_item = 1);

}  // namespace pith
