#include "pith/predictions.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data/refuse.h"
#include "data/text.h"
#include "data/tiles.h"

namespace pith {
namespace {

/// How far from 1 a row of probabilities may sum: what rounding each of them to its type, or to a few printed
/// digits, can add up to.
double sum_tolerance(const Matrix& probabilities) {
  const std::string extension = extension_of(probabilities.source);
  const bool printed = extension == ".csv" || extension == ".tsv";
  const bool narrow = probabilities.view.scalar == Scalar::f16 || probabilities.view.scalar == Scalar::bf16;
  return printed || narrow ? 1e-2 : 1e-3;
}

struct TopTwo {
  std::uint32_t best = 0;
  std::uint32_t second = 1;
};

TopTwo find_top_two(std::span<const double> row) noexcept {
  TopTwo top;
  if (row[1] > row[0]) std::swap(top.best, top.second);
  for (std::uint32_t i = 2; i < row.size(); ++i) {
    if (row[i] > row[top.best])
      top = {.best = i, .second = top.best};
    else if (row[i] > row[top.second])
      top.second = i;
  }
  return top;
}

/// Logits to probabilities; `largest` is their maximum, so that no exponential overflows.
void apply_softmax(std::span<double> row, double largest) noexcept {
  double sum = 0;
  for (double& value : row) {
    value = std::exp(value - largest);
    sum += value;
  }
  for (double& value : row) value /= sum;
}

double entropy_of(std::span<const double> row) noexcept {
  double sum = 0;
  for (const double p : row)
    if (p > 0) sum -= p * std::log(p);
  return sum / std::log(static_cast<double>(row.size()));
}

class PredictionReader {
 public:
  PredictionReader(const Matrix& matrix, bool logits, UncertaintyKind kind, std::uint32_t further)
      : matrix_(matrix), logits_(logits), kind_(kind), tolerance_(sum_tolerance(matrix)) {
    out_.classes = static_cast<std::uint32_t>(matrix.cols());
    out_.best.resize(matrix.rows());
    out_.second.resize(matrix.rows());
    out_.margin.resize(matrix.rows());
    if (kind != UncertaintyKind::margin) out_.other_uncertainty.resize(matrix.rows());
    out_.further = further;
    out_.further_class.resize(matrix.rows() * further, Predictions::no_class);
    out_.further_margin.resize(matrix.rows() * further, 0.0);
  }

  void read_tile(std::size_t first, std::size_t count) {
    std::vector<double> tile(count * matrix_.cols());
    matrix_.view.read_rows(first, count, tile.data());
    for (std::size_t i = 0; i < count; ++i)
      read_row(first + i, std::span(tile).subspan(i * matrix_.cols(), matrix_.cols()));
  }

  Predictions take() { return std::move(out_); }

 private:
  void read_row(std::size_t item, std::span<double> row) {
    check_row(item, row);
    const TopTwo top = find_top_two(row);
    if (logits_) apply_softmax(row, row[top.best]);
    out_.best[item] = top.best;
    out_.second[item] = top.second;
    out_.margin[item] = std::clamp(1.0 - (row[top.best] - row[top.second]), 0.0, 1.0);
    if (out_.further > 0) note_further(item, row, top);
    if (kind_ == UncertaintyKind::entropy)
      out_.other_uncertainty[item] = std::clamp(entropy_of(row), 0.0, 1.0);
    if (kind_ == UncertaintyKind::least_confidence)
      out_.other_uncertainty[item] = std::clamp(1.0 - row[top.best], 0.0, 1.0);
  }

  /// The next best classes after the top two, ties to the lower class.
  void note_further(std::size_t item, std::span<const double> row, const TopTwo& top) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t label = 0; label < row.size(); ++label)
      if (label != top.best && label != top.second) order.push_back(label);
    const std::size_t count = std::min<std::size_t>(out_.further, order.size());
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
        [&](std::uint32_t a, std::uint32_t b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
    for (std::size_t at = 0; at < count; ++at) {
      out_.further_class[item * out_.further + at] = order[at];
      out_.further_margin[item * out_.further + at] =
          std::clamp(1.0 - (row[top.best] - row[order[at]]), 0.0, 1.0);
    }
  }

  void check_row(std::size_t item, std::span<const double> row) const {
    double sum = 0;
    for (std::size_t col = 0; col < row.size(); ++col) {
      if (!std::isfinite(row[col]))
        refuse_input(matrix_.source,
                     "row {}, column {} (from 0): {} is not a finite number; compute the item's {} again",
                     item, col, row[col], logits_ ? "logits" : "probabilities");
      if (!logits_ && row[col] < 0)
        refuse_input(
            matrix_.source,
            "row {}, column {} (from 0): {} is negative, no probability; if these are logits, say --logits",
            item, col, row[col]);
      sum += row[col];
    }
    if (!logits_ && std::abs(sum - 1.0) > tolerance_)
      refuse_input(
          matrix_.source,
          "row {} (from 0) sums to {:.6g}, not 1 (within {}); if these are logits, say --logits, else divide "
          "each row by its sum",
          item, sum, tolerance_);
  }

  const Matrix& matrix_;
  bool logits_;
  UncertaintyKind kind_;
  double tolerance_;
  Predictions out_;
};

}  // namespace

Predictions read_predictions(const Matrix& probabilities, bool logits, UncertaintyKind kind, const Run& run,
                             std::uint32_t boundaries_per_item) {
  if (probabilities.cols() < 2)
    refuse_input(probabilities.source,
                 "one class (column) is not enough: selection by uncertainty needs at least two; save the "
                 "probability of every class");
  PredictionReader reader(probabilities, logits, kind, std::max(boundaries_per_item, 1U) - 1);
  for_each_tile(probabilities.view, run, "reading predictions",
                [&](std::size_t first, std::size_t count, unsigned) { reader.read_tile(first, count); });
  return reader.take();
}

}  // namespace pith
