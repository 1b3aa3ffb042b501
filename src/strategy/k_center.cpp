#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "constraint/cap_tracker.h"
#include "graph/metric.h"
#include "strategy/registry.h"

namespace pith {
namespace {

/// Work, in multiply-adds, below which starting threads costs more than it saves.
constexpr std::size_t worth_threads = 1 << 21;

/// Distance of every item to its nearest centre, brought up to date only when asked: an old distance is an
/// upper bound, so items in dense regions, which never come near the top, are compared with few centres or
/// none.
class KCenterOracle final : public Oracle {
 public:
  KCenterOracle(const MatrixView& rows, Metric metric, const Run& run)
      : rows_(rows),
        direct_(rows.as_floats()),
        metric_(metric),
        run_(run),
        nearest_(rows.rows, std::numeric_limits<double>::infinity()),
        seen_(rows.rows, 0) {}

  [[nodiscard]] double score(Item item) override {
    std::vector<float> buffer;
    bring_up_to_date(item, buffer);
    return nearest_[item];
  }

  void score_all(std::span<const Item> items, std::span<double> out) override {
    std::size_t work = 0;
    for (const Item item : items) work += (centers() - seen_[item]) * rows_.cols;
    const Run inline_run{.threads = 1, .progress = {}, .cancelled = run_.cancelled};
    parallel_for(work < worth_threads ? inline_run : run_, items.size(), 16,
                 [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
                   std::vector<float> buffer;
                   for (std::size_t at = begin; at < end; ++at) {
                     bring_up_to_date(items[at], buffer);
                     out[at] = nearest_[items[at]];
                   }
                 });
  }

  [[nodiscard]] std::size_t batch() const override { return 256; }

  void add(Item item) override {
    const std::size_t at = center_rows_.size();
    center_rows_.resize(at + rows_.cols);
    rows_.read_rows(item, 1, center_rows_.data() + at);
    center_norms_.push_back(squared_norm(center_rows_.data() + at, rows_.cols));
  }

  /// A centre that is given up for the sake of the caps has shaped the choice of the others all the same.
  void remove(Item /*item*/) override {}

 private:
  [[nodiscard]] std::size_t centers() const noexcept { return center_norms_.size(); }

  void bring_up_to_date(Item item, std::vector<float>& buffer) {
    if (seen_[item] == centers()) return;
    const float* row = direct_ != nullptr ? direct_ + static_cast<std::size_t>(item) * rows_.cols : nullptr;
    if (row == nullptr) {
      buffer.resize(rows_.cols);
      rows_.read_rows(item, 1, buffer.data());
      row = buffer.data();
    }
    const double row_norm = squared_norm(row, rows_.cols);
    double nearest = nearest_[item];
    for (std::size_t center = seen_[item]; center < centers(); ++center)
      nearest = std::min(nearest, dissimilarity(metric_, row, center_rows_.data() + center * rows_.cols,
                                                rows_.cols, row_norm, center_norms_[center]));
    nearest_[item] = nearest;
    seen_[item] = static_cast<std::uint32_t>(centers());
  }

  const MatrixView& rows_;
  const float* direct_;
  Metric metric_;
  const Run& run_;
  std::vector<float> center_rows_;
  std::vector<double> center_norms_;
  std::vector<double> nearest_;
  std::vector<std::uint32_t> seen_;  ///< how many centres nearest_ accounts for
};

/// Mean of all rows, in double, summed in row order within fixed chunks: the same for any number of threads.
std::vector<float> mean_row(const MatrixView& rows, const Run& run) {
  constexpr std::size_t chunk = 4096;
  std::vector<std::vector<double>> sums((rows.rows + chunk - 1) / chunk);
  parallel_for(run, rows.rows, chunk, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    std::vector<double>& sum = sums[begin / chunk];
    sum.assign(rows.cols, 0.0);
    std::vector<float> row(rows.cols);
    for (std::size_t at = begin; at < end; ++at) {
      rows.read_rows(at, 1, row.data());
      for (std::size_t col = 0; col < rows.cols; ++col) sum[col] += static_cast<double>(row[col]);
    }
  });
  std::vector<double> total(rows.cols, 0.0);
  for (const auto& sum : sums)
    for (std::size_t col = 0; col < rows.cols; ++col) total[col] += sum[col];
  std::vector<float> mean(rows.cols);
  for (std::size_t col = 0; col < rows.cols; ++col)
    mean[col] = static_cast<float>(total[col] / static_cast<double>(rows.rows));
  return mean;
}

/// The admissible candidate nearest to the mean, ties to the lower index.
std::vector<Pick> first_center(const StrategyInput& input) {
  const MatrixView& rows = input.embeddings->view;
  const std::vector<float> mean = mean_row(rows, input.run);
  const double mean_norm = squared_norm(mean.data(), rows.cols);
  std::vector<double> distance(rows.rows);
  parallel_for(input.run, rows.rows, 4096, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    std::vector<float> row(rows.cols);
    for (std::size_t at = begin; at < end; ++at) {
      rows.read_rows(at, 1, row.data());
      distance[at] = dissimilarity(input.metric, row.data(), mean.data(), rows.cols,
                                   squared_norm(row.data(), rows.cols), mean_norm);
    }
  });
  const CapTracker caps(input.balance);
  std::vector<Pick> first;
  for (std::size_t at = 0; at < rows.rows; ++at) {
    const auto item = static_cast<Item>(at);
    if (input.pool.state[at] != Pool::State::candidate || !caps.admits(item)) continue;
    if (first.empty() || distance[at] < distance[first[0].item])
      first = {{.item = item, .score = std::numeric_limits<double>::infinity()}};
  }
  return first;
}

}  // namespace

/// Farthest first (Gonzalez 1985): within twice the least possible largest distance to a centre, without
/// caps. Labelled items are centres already; without any, the first centre is the item nearest to the mean.
std::vector<Pick> choose_k_center(const StrategyInput& input) {
  KCenterOracle oracle(input.embeddings->view, input.metric, input.run);
  return choose_greedily(oracle, input,
                         input.pool.labelled.empty() ? first_center(input) : std::vector<Pick>{});
}

}  // namespace pith
