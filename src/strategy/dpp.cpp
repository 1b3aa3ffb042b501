#include <algorithm>
#include <cmath>

#include "base/clones.h"
#include "base/parallel.h"
#include "strategy/item_lengths.h"
#include "strategy/registry.h"

namespace pith {
namespace {

/// Below this share of its length, an item adds nothing to the space of the chosen ones but roundings.
constexpr double negligible = 1e-10;
/// Items that go through the chosen ones together.
constexpr std::size_t group_items = 8;

/// Sum of products in a fixed order: lane l takes the places = l mod 32.
PITH_CLONES double product_of(const double* x, const double* y, std::size_t count) noexcept {
  constexpr std::size_t lanes = 32;
  double lane[lanes] = {};
  std::size_t at = 0;
  for (; at + lanes <= count; at += lanes)
    for (std::size_t l = 0; l < lanes; ++l) lane[l] += x[at + l] * y[at + l];
  for (std::size_t l = 0; at < count; ++at, ++l) lane[l] += x[at] * y[at];
  for (std::size_t width = lanes / 2; width > 0; width /= 2)
    for (std::size_t l = 0; l < width; ++l) lane[l] += lane[l + width];
  return lane[0];
}

/// By how much an item multiplies the determinant of the chosen ones' kernel: quality^2 times the squared
/// length of what it adds to their space. One row of the Cholesky factor an item (Chen, Zhang, Zhou 2018),
/// brought up to date only when the item comes near the top (Hemmi, Oki, Sakaue, Fujii, Iwata 2022), because
/// the length only falls. O(k) for a chosen item's product, O(k^2) for an item that is followed to the end.
class DeterminantOracle final : public Oracle {
 public:
  explicit DeterminantOracle(const StrategyInput& input)
      : lengths_(input.embeddings->view, input.metric, input.run),
        run_(input.run),
        scale_(input.graph->median_length() > 0 ? input.graph->median_length() : 1),
        rows_(lengths_.size()),
        rests_(lengths_.size(), 1.0) {
    for (const double u : input.predictions.uncertainty())
      squared_qualities_.push_back(std::exp(2 * input.special.quality * u));
  }

  [[nodiscard]] double score(Item item) override {
    update({&item, 1});
    return squared_qualities_[item] * rests_[item];
  }
  void score_all(std::span<const Item> items, std::span<double> out) override {
    parallel_for(run_, items.size(), group_items,
                 [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
                   update(items.subspan(begin, end - begin));
                 });
    for (std::size_t at = 0; at < items.size(); ++at)
      out[at] = squared_qualities_[items[at]] * rests_[items[at]];
  }
  [[nodiscard]] std::size_t batch(Item /*item*/) const override { return 64; }
  void add(Item item) override {
    update({&item, 1});
    chosen_.push_back(item);
    chosen_rows_.push_back(rows_[item]);
    chosen_lengths_.push_back(rests_[item] > negligible ? std::sqrt(rests_[item]) : 0);
  }
  /// An item that is given up for the sake of the caps has shaped the choice of the others all the same.
  void remove(Item /*item*/) override {}

 private:
  void update(std::span<const Item> items) {
    std::size_t first = chosen_.size();
    for (const Item item : items) first = std::min(first, rows_[item].size());
    for (std::size_t at = first; at < chosen_.size(); ++at)
      for (const Item item : items)
        if (rows_[item].size() == at) extend(item, at);
  }
  /// The next number of an item's row.
  void extend(Item item, std::size_t at) {
    std::vector<double>& row = rows_[item];
    double value = 0;
    if (chosen_lengths_[at] > 0) {
      const double kernel = std::exp(-lengths_.length_of(item, chosen_[at]) / scale_);
      value = (kernel - product_of(chosen_rows_[at].data(), row.data(), at)) / chosen_lengths_[at];
    }
    row.push_back(value);
    rests_[item] = std::max(0.0, rests_[item] - value * value);
  }

  ItemLengths lengths_;
  const Run& run_;
  double scale_;
  std::vector<double> squared_qualities_;
  std::vector<std::vector<double>> rows_;  ///< of each item, as far as it has been followed
  std::vector<double> rests_;              ///< 1 less the squares of the row
  std::vector<Item> chosen_;
  std::vector<std::vector<double>> chosen_rows_;
  std::vector<double> chosen_lengths_;
};

}  // namespace

/// A likely set of a determinantal point process, by greedy: next is always the item that multiplies the
/// determinant of the kernel q_i q_j exp(-length / scale) most, the scale being the median edge length for l2
/// and l1 and 1 for the cosine. q = exp(quality * u). The kernel is positive definite, and rougher than a
/// Gaussian, which keeps the determinant away from 0 for large sets.
std::vector<Pick> choose_dpp(const StrategyInput& input) {
  DeterminantOracle oracle(input);
  return choose_greedily(oracle, input);
}

}  // namespace pith
