#include "pith/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "data/probabilities.h"
#include "data/refuse.h"
#include "data/text.h"
#include "data/tiles.h"
#include "pith/error.h"

namespace pith {
namespace {

/// How far from 1 a row of probabilities may sum: what rounding each of them to its type, or to a few printed
/// digits, can add up to.
double sum_tolerance(const Matrix& probabilities) {
  // Of shards it is the files that tell, not the pattern.
  const std::string extension =
      extension_of(probabilities.rows() > 0 ? probabilities.place_of(0).source : probabilities.source);
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

__extension__ using Int128 = __int128;

/// Terms are added as whole numbers of 2^-90, whose order does not matter: rows of the same probabilities
/// tie.
double entropy_of(std::span<const double> row) noexcept {
  Int128 sum = 0;
  for (const double p : row)
    if (p > 0) sum -= static_cast<Int128>(p * std::log(p) * 0x1p90);
  return static_cast<double>(sum) * 0x1p-90 / std::log(static_cast<double>(row.size()));
}

/// Throws where a row of a member is no probabilities, or no logits.
void check_row(const Matrix& matrix, bool logits, double tolerance, std::size_t item,
               std::span<const double> row) {
  double sum = 0;
  for (std::size_t col = 0; col < row.size(); ++col) {
    if (!std::isfinite(row[col])) {
      const Matrix::Place place = matrix.place_of(item);
      refuse_input(place.source,
                   "row {}, column {} (from 0): {} is not a finite number; compute the item's {} again",
                   place.row, col, row[col], logits ? "logits" : "probabilities");
    }
    if (!logits && row[col] < 0) {
      const Matrix::Place place = matrix.place_of(item);
      refuse_input(
          place.source,
          "row {}, column {} (from 0): {} is negative, no probability; if these are logits, say --logits; if "
          "embeddings, the two inputs are swapped",
          place.row, col, row[col]);
    }
    sum += row[col];
  }
  if (!logits && std::abs(sum - 1.0) > tolerance) {
    const Matrix::Place place = matrix.place_of(item);
    refuse_input(
        place.source,
        "row {} (from 0) sums to {:.6g}, not 1 (within {}); if these are logits, say --logits, else divide "
        "each row by its sum (for several labels an item, docs/troubleshooting.md has a way)",
        place.row, sum, tolerance);
  }
}

class PredictionReader {
 public:
  PredictionReader(const ClassProbabilities& probabilities, UncertaintyKind kind, std::uint32_t further)
      : probabilities_(probabilities) {
    out_.kind = kind;
    for (const Matrix& member : probabilities.members) tolerances_.push_back(sum_tolerance(member));
    const std::size_t items = probabilities.items();
    out_.classes = static_cast<std::uint32_t>(probabilities.classes());
    out_.best.resize(items);
    out_.second.resize(items);
    out_.margin.resize(items);
    if (kind != UncertaintyKind::margin) out_.other_uncertainty.resize(items);
    out_.further = further;
    out_.further_class.resize(items * further, Predictions::no_class);
    out_.further_margin.resize(items * further, 0.0);
  }

  void read_tile(std::size_t first, std::size_t count) {
    const std::size_t classes = probabilities_.classes();
    std::vector<double> tile(count * classes);
    const auto row = [&](std::size_t i) { return std::span(tile).subspan(i * classes, classes); };
    for (std::size_t m = 0; m < probabilities_.members.size(); ++m) {
      const Matrix& member = probabilities_.members[m];
      member.view.read_rows(first, count, tile.data());
      for (std::size_t i = 0; i < count; ++i)
        check_row(member, probabilities_.logits, tolerances_[m], first + i, row(i));
    }
    if (probabilities_.members.size() == 1) {
      // Classes are ranked by the logits themselves: a softmax may round different ones to the same.
      for (std::size_t i = 0; i < count; ++i) read_single(first + i, row(i));
    } else {
      std::vector<double> scratch;
      read_mean(probabilities_, first, count, tile.data(), scratch);
      for (std::size_t i = 0; i < count; ++i) {
        const TopTwo top = find_top_two(row(i));
        note(first + i, row(i), top, find_further(row(i), top));
      }
    }
  }

  Predictions take() { return std::move(out_); }

 private:
  void read_single(std::size_t item, std::span<double> row) {
    const TopTwo top = find_top_two(row);
    const std::vector<std::uint32_t> further = find_further(row, top);
    if (probabilities_.logits) apply_softmax(row, row[top.best]);
    note(item, row, top, further);
  }

  void note(std::size_t item, std::span<const double> row, TopTwo top,
            std::span<const std::uint32_t> further) {
    out_.best[item] = top.best;
    out_.second[item] = top.second;
    out_.margin[item] = std::clamp(1.0 - (row[top.best] - row[top.second]), 0.0, 1.0);
    for (std::size_t at = 0; at < further.size(); ++at) {
      out_.further_class[item * out_.further + at] = further[at];
      out_.further_margin[item * out_.further + at] =
          std::clamp(1.0 - (row[top.best] - row[further[at]]), 0.0, 1.0);
    }
    if (out_.kind == UncertaintyKind::entropy)
      out_.other_uncertainty[item] = std::clamp(entropy_of(row), 0.0, 1.0);
    if (out_.kind == UncertaintyKind::least_confidence)
      out_.other_uncertainty[item] = std::clamp(1.0 - row[top.best], 0.0, 1.0);
  }

  /// The next best classes after the top two, ties to the lower class.
  [[nodiscard]] std::vector<std::uint32_t> find_further(std::span<const double> row,
                                                        const TopTwo& top) const {
    std::vector<std::uint32_t> order;
    if (out_.further == 0) return order;
    for (std::uint32_t label = 0; label < row.size(); ++label)
      if (label != top.best && label != top.second) order.push_back(label);
    const std::size_t count = std::min<std::size_t>(out_.further, order.size());
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
        [&](std::uint32_t a, std::uint32_t b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
    order.resize(count);
    return order;
  }

  const ClassProbabilities& probabilities_;
  std::vector<double> tolerances_;
  Predictions out_;
};

/// Rows of logits that are all non-negative and sum to 1 are probabilities, which a softmax would flatten.
/// The first rows tell, whatever part of them is wanted, so that every rank says the same.
void require_logits(const Matrix& matrix) {
  constexpr std::size_t looked_at = 1000;
  const double tolerance = sum_tolerance(matrix);
  std::vector<double> row(matrix.cols());
  for (std::size_t item = 0; item < std::min(matrix.rows(), looked_at); ++item) {
    matrix.view.read_rows(item, 1, row.data());
    double sum = 0;
    for (const double value : row) {
      if (!(value >= 0)) return;
      sum += value;
    }
    if (std::abs(sum - 1.0) > tolerance) return;
  }
  refuse_input(matrix.source,
               "its rows are non-negative and sum to 1: these are probabilities already; leave "
               "out --logits");
}

void require_same_shape(const std::vector<Matrix>& members) {
  const Matrix& first = members.front();
  for (const Matrix& other : members)
    if (other.rows() != first.rows() || other.cols() != first.cols())
      throw Error(
          ErrorKind::bad_input,
          fmt::format("{} has {} rows and {} classes but {} has {} and {}; all members must describe "
                      "the same items and classes",
                      other.source, other.rows(), other.cols(), first.source, first.rows(), first.cols()));
}

}  // namespace

void read_member(const ClassProbabilities& probabilities, std::size_t member, std::size_t first,
                 std::size_t count, double* out) {
  const std::size_t classes = probabilities.classes();
  probabilities.members[member].view.read_rows(first, count, out);
  if (!probabilities.logits) return;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<double> row(out + i * classes, classes);
    apply_softmax(row, *std::max_element(row.begin(), row.end()));
  }
}

void read_mean(const ClassProbabilities& probabilities, std::size_t first, std::size_t count, double* out,
               std::vector<double>& scratch) {
  read_member(probabilities, 0, first, count, out);
  const std::size_t members = probabilities.members.size();
  if (members == 1) return;
  const std::size_t size = count * probabilities.classes();
  scratch.resize(size);
  for (std::size_t member = 1; member < members; ++member) {
    read_member(probabilities, member, first, count, scratch.data());
    for (std::size_t at = 0; at < size; ++at) out[at] += scratch[at];
  }
  for (std::size_t at = 0; at < size; ++at) out[at] /= static_cast<double>(members);
}

Predictions read_prediction_rows(const ClassProbabilities& probabilities, UncertaintyKind kind,
                                 std::uint32_t boundaries_per_item, const RowRange& rows, const Run& run) {
  if (probabilities.empty()) throw Error(ErrorKind::bad_input, "no class probabilities given");
  require_same_shape(probabilities.members);
  const Matrix& first = probabilities.members.front();
  if (first.cols() < 2)
    refuse_input(first.source,
                 "one class (column) is not enough: selection by uncertainty needs at least two; save the "
                 "probability of every class");
  if (probabilities.logits)
    for (const Matrix& member : probabilities.members) require_logits(member);
  PredictionReader reader(probabilities, kind, std::max(boundaries_per_item, 1U) - 1);
  for_each_tile(first.view, rows, run, "reading predictions",
                [&](std::size_t begin, std::size_t count, unsigned) { reader.read_tile(begin, count); });
  return reader.take();
}

Predictions read_predictions(const ClassProbabilities& probabilities, UncertaintyKind kind, const Run& run,
                             std::uint32_t boundaries_per_item) {
  return read_prediction_rows(probabilities, kind, boundaries_per_item, {0, probabilities.items()}, run);
}

Predictions read_predictions(const Matrix& probabilities, bool logits, UncertaintyKind kind, const Run& run,
                             std::uint32_t boundaries_per_item) {
  return read_predictions({.members = {probabilities}, .logits = logits}, kind, run, boundaries_per_item);
}

}  // namespace pith
