#include <cmath>

#include "strategy/item_lengths.h"
#include "strategy/pick_list.h"

namespace pith {
namespace {

/// Rows as herding sees them: of length 1 for the cosine (zero rows stay zero), as they are else.
class HerdedRows {
 public:
  explicit HerdedRows(const StrategyInput& input)
      : lengths_(input.embeddings->view, input.metric, input.run), unit_(input.metric == Metric::cosine) {}

  [[nodiscard]] std::size_t size() const noexcept { return lengths_.size(); }
  [[nodiscard]] std::size_t dimension() const noexcept { return lengths_.dimension(); }
  [[nodiscard]] double factor(Item item) const noexcept {
    const double square = lengths_.squared_norm_of(item);
    return !unit_ ? 1 : square > 0 ? 1 / std::sqrt(square) : 0;
  }
  void add_to(std::vector<double>& sum, Item item) const {
    const double f = factor(item);
    const float* row = lengths_.row(item);
    for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += f * static_cast<double>(row[d]);
  }
  [[nodiscard]] double product(Item item, const std::vector<float>& with) const noexcept {
    return factor(item) * dot(lengths_.row(item), with.data(), with.size());
  }
  [[nodiscard]] double square(Item item) const noexcept {
    const double f = factor(item);
    return f * f * lengths_.squared_norm_of(item);
  }

 private:
  ItemLengths lengths_;
  bool unit_;
};

/// Mean of the items that are not excluded, in index order.
std::vector<double> mean_of(const HerdedRows& rows, const Pool& pool) {
  std::vector<double> mean(rows.dimension(), 0.0);
  double count = 0;
  for (Item item = 0; item < rows.size(); ++item) {
    if (pool.state[item] == Pool::State::excluded) continue;
    rows.add_to(mean, item);
    ++count;
  }
  for (double& m : mean) m /= count;
  return mean;
}

}  // namespace

/// Next is always the item that brings the mean of the chosen ones nearest to the mean of all (Welling 2009;
/// without repeats). With m chosen and their sum s, that is the largest of 2 x t - |x|^2, t = (m + 1) mean -
/// s. Labelled items are chosen already. O(n k D).
std::vector<Pick> choose_herding(const StrategyInput& input) {
  const HerdedRows rows(input);
  const std::vector<double> mean = mean_of(rows, input.pool);
  std::vector<double> sum(rows.dimension(), 0.0);
  for (const Item item : input.pool.labelled) rows.add_to(sum, item);
  auto chosen = static_cast<double>(input.pool.labelled.size());
  std::vector<double> values(rows.size(), 0.0);
  std::vector<float> aim(rows.dimension());
  PickList list(input);
  while (!list.full()) {
    // t / (4 (m + 1)) is no larger than the rows themselves: it fits into floats.
    for (std::size_t d = 0; d < aim.size(); ++d)
      aim[d] = static_cast<float>((mean[d] - sum[d] / (chosen + 1)) / 4);
    const std::optional<Pick> next = find_best(list, rows.size(), input.run, [&](Item item) {
      return values[item] = 8 * (chosen + 1) * rows.product(item, aim) - rows.square(item);
    });
    if (!next) break;
    list.take(next->item, next->score);
    rows.add_to(sum, next->item);
    ++chosen;
    input.run.report("herding", static_cast<double>(list.picks().size()), static_cast<double>(input.budget));
  }
  return std::move(list).complete(std::move(values));
}

}  // namespace pith
