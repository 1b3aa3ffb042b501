#include "pipeline/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "constraint/balance.h"

namespace pith {
namespace {

std::vector<std::string> find_warnings(const PredictionReport& report, const Predictions& predictions) {
  std::vector<std::string> warnings;
  const auto n = static_cast<double>(predictions.size());
  if (!report.empty_classes.empty()) {
    const std::size_t shown = std::min<std::size_t>(report.empty_classes.size(), 8);
    warnings.push_back(
        fmt::format("{} of {} classes are predicted for no item (class {}{}); they cannot be balanced",
                    report.empty_classes.size(), predictions.classes,
                    fmt::join(report.empty_classes.begin(),
                              report.empty_classes.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                    shown < report.empty_classes.size() ? ", ..." : ""));
  }
  if (report.certain_share > 0.5)
    warnings.push_back(
        fmt::format("overconfident: {:.0f}% of the items have a best probability above 0.99, so margins tell "
                    "little apart; scale the "
                    "logits by a temperature above 1 before the softmax",
                    100 * report.certain_share));
  // Half above an even share, or, of few classes, a tenth of the way from there to certainty.
  const double even = 1.0 / predictions.classes;
  if (report.mean_confidence < even + std::min(0.5 * even, 0.1 * (1 - even)))
    warnings.push_back(
        fmt::format("nearly uniform: the mean best probability is {:.3f} with {} classes, so classes and "
                    "boundaries are guesses; "
                    "check that these are probabilities of a trained model",
                    report.mean_confidence, predictions.classes));
  const auto hard =
      static_cast<double>(std::count(predictions.margin.begin(), predictions.margin.end(), 0.0));
  if (hard > 0.5 * n)
    warnings.push_back(
        fmt::format("{:.0f}% of the rows are one-hot: these look like labels, not probabilities; uncertainty "
                    "has nothing to go by",
                    100 * hard / n));
  const std::int64_t largest = *std::max_element(report.class_sizes.begin(), report.class_sizes.end());
  if (static_cast<double>(largest) > 0.9 * n && predictions.classes > 1 && n > 1)
    warnings.push_back(fmt::format("{:.0f}% of the items are predicted as one class",
                                   100 * static_cast<double>(largest) / n));
  return warnings;
}

}  // namespace

PredictionReport describe_predictions(const Predictions& predictions, const std::vector<double>& doubt,
                                      double tau) {
  PredictionReport report;
  const std::size_t n = predictions.size();
  BalanceOptions options;
  options.tau = tau;
  const Pool pool = Pool::of_all(n);
  const Balance balance =
      make_balance(predictions, pool, static_cast<std::int64_t>(n), BalanceKind::none, options);
  report.class_sizes = balance.classes.available;
  for (std::uint32_t c = 0; c < predictions.classes; ++c)
    if (report.class_sizes[c] == 0) report.empty_classes.push_back(c);
  for (std::size_t b = 0; b < balance.boundary_pairs.size(); ++b)
    report.boundaries.emplace_back(balance.boundary_pairs[b], balance.boundaries.available[b]);
  std::stable_sort(report.boundaries.begin(), report.boundaries.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  report.beyond_boundaries =
      std::count(balance.boundaries.group_of.begin(), balance.boundaries.group_of.end(), no_group);

  std::size_t certain = 0;
  for (std::size_t item = 0; item < n; ++item) {
    ++report.margin_histogram[std::min<std::size_t>(9,
                                                    static_cast<std::size_t>(predictions.margin[item] * 10))];
    report.mean_margin += predictions.margin[item];
    report.mean_confidence += 1 - doubt[item];
    certain += doubt[item] < 0.01 ? 1 : 0;
  }
  report.mean_margin /= static_cast<double>(n);
  report.mean_confidence /= static_cast<double>(n);
  report.certain_share = static_cast<double>(certain) / static_cast<double>(n);
  report.warnings = find_warnings(report, predictions);
  return report;
}

}  // namespace pith
