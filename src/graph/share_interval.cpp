#include "graph/share_interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace pith {
namespace {

/// Part of the stake that is put on the mean being larger, and how much weight that bet has. High recalls
/// with few misses are best shown by high stakes, means far from 0 and 1 by low ones.
struct Bet {
  double stake;
  double weight;
};
constexpr std::array<Bet, 6> bets = {
    {{0.99, 0.4}, {0.75, 0.2}, {0.5, 0.15}, {0.25, 0.1}, {0.12, 0.08}, {0.05, 0.07}}};

/// Whether bets that are fair, or worse, for a mean of at most `mean` have won 1 / error times the stake.
bool refutes(std::span<const std::uint64_t> found, double mean, double error) {
  const auto k = static_cast<double>(found.size() - 1);
  double wealth = 0;
  for (const auto [stake, weight] : bets) {
    double log = std::log(weight * error);
    for (std::size_t j = 0; j < found.size(); ++j)
      if (found[j] != 0)
        log += static_cast<double>(found[j]) * std::log1p(stake * (static_cast<double>(j) / k / mean - 1));
    wealth += std::exp(std::min(log, 1.0));
  }
  return wealth >= 1;
}

/// The largest mean below which all are refuted.
double lower_end(std::span<const std::uint64_t> found, double error) {
  double refuted = 0;
  double open = 1;
  for (int step = 0; step < 50; ++step) {
    const double middle = (refuted + open) / 2;
    (refutes(found, middle, error) ? refuted : open) = middle;
  }
  return refuted;
}

}  // namespace

RecallEstimate estimate_recall(std::span<const std::uint64_t> found, double error) {
  std::uint64_t items = 0;
  std::uint64_t all = 0;
  for (std::size_t j = 0; j < found.size(); ++j) {
    items += found[j];
    all += j * found[j];
  }
  const auto most = static_cast<double>(items) * static_cast<double>(found.size() - 1);
  if (most == 0) return {.recall = 0, .low = 0, .high = 1};
  const std::vector<std::uint64_t> missed(found.rbegin(), found.rend());
  return {.recall = static_cast<double>(all) / most,
          .low = lower_end(found, error / 2),
          .high = 1 - lower_end(missed, error / 2)};
}

}  // namespace pith
