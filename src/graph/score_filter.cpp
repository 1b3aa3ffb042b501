#include "graph/score_filter.h"

#include <cblas.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/clones.h"
#include "base/parallel.h"
#include "graph/kernels/l1_sums.h"
#include "graph/metric.h"
#include "pith/error.h"

namespace pith {
namespace {

PITH_CLONES void scale_row(float* row, std::size_t dimension, double factor) noexcept {
  for (std::size_t d = 0; d < dimension; ++d)
    row[d] = static_cast<float>(static_cast<double>(row[d]) * factor);
}

/// row * factor - centre.
PITH_CLONES void centre_row(float* row, const double* centre, std::size_t dimension, double factor) noexcept {
  for (std::size_t d = 0; d < dimension; ++d)
    row[d] = static_cast<float>(static_cast<double>(row[d]) * factor - centre[d]);
}

/// Square of the length of what rounding to bf16 changes.
PITH_CLONES double squared_rounding(const float* row, std::size_t dimension) noexcept {
  double lanes[8] = {};
  for (std::size_t d = 0; d < dimension; ++d) {
    const auto rounded = std::bit_cast<float>(round_to_bf16(std::bit_cast<std::uint32_t>(row[d])));
    const double e = static_cast<double>(rounded) - static_cast<double>(row[d]);
    lanes[d % 8] += e * e;
  }
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// The largest float not above `value`.
float round_down(double value) noexcept {
  const auto nearest = static_cast<float>(value);
  return static_cast<double>(nearest) <= value
             ? nearest
             : std::nextafter(nearest, -std::numeric_limits<float>::infinity());
}

}  // namespace

ScoreFilter::ScoreFilter(const MatrixView& view, Metric metric, const RowFacts& facts,
                         std::span<const Item> items, const TileKernel& kernel, const Run& run)
    : view_(view), metric_(metric), kernel_(&kernel), items_(items), squared_norms_(facts.squared_norms) {
  if (view.cols > most_columns)
    throw Error(ErrorKind::unsupported, "embeddings of " + std::to_string(view.cols) +
                                            " columns: no more than " + std::to_string(most_columns) +
                                            " are supported");
  const auto dimension = static_cast<double>(view.cols);
  relative_error_ = sum_error(view.cols, kernel.rounds_rows() ? 0x1p-23 : 0x1p-24);
  absolute_error_ = (dimension + 16) * 0x1p-118;
  offsets_.assign(items.size(), 0);
  widths_.assign(items.size(), 0);

  switch (metric) {
    case Metric::cosine:
      absolute_error_ += (dimension + 16) * 0x1p-50;
      choose_centre();
      measure_rows(run);
      break;
    case Metric::l2:
      scale_ = facts.largest > 0 ? std::exp2(-std::ceil(std::log2(facts.largest)) - 1) : 1;
      choose_centre();
      measure_rows(run);
      break;
    case Metric::l1:
      // Sums stay below 2^126; scaling is left out where it would change nothing.
      if (facts.largest * 2 * dimension > 0x1p120) scale_ = 0x1p-20 / dimension;
      scale_ = std::exp2(std::floor(std::log2(scale_)));
      if (scale_ == 1) absolute_error_ = 0;
      stretch_ = 4 * relative_error_;
      offsets_.assign(items.size(), static_cast<float>(-absolute_error_));
      widths_.assign(items.size(), static_cast<float>(2 * absolute_error_));
      break;
  }
}

ScoreFilter::ScoreFilter(const ScoreFilter& whole, std::span<const Item> rows, std::span<const Item> items)
    : view_(whole.view_),
      metric_(whole.metric_),
      kernel_(whole.kernel_),
      items_(items),
      squared_norms_(whole.squared_norms_),
      scale_(whole.scale_),
      relative_error_(whole.relative_error_),
      absolute_error_(whole.absolute_error_),
      stretch_(whole.stretch_),
      centre_(whole.centre_) {
  constexpr std::size_t ahead = 8;
  offsets_.resize(rows.size());
  widths_.resize(rows.size());
  for (std::size_t at = 0; at < rows.size(); ++at) {
    if (at + ahead < rows.size()) {
      __builtin_prefetch(&whole.offsets_[rows[at + ahead]]);
      __builtin_prefetch(&whole.widths_[rows[at + ahead]]);
    }
    offsets_[at] = whole.offsets_[rows[at]];
    widths_[at] = whole.widths_[rows[at]];
  }
  constexpr std::size_t most_kept = std::size_t{1} << 22;
  if (items.empty() || items.size() * view_.cols > most_kept) return;
  kept_.resize(items.size() * view_.cols);
  for (std::size_t row = 0; row < items.size(); ++row) {
    if (row + ahead < items.size()) expect_row(view_, items[row + ahead]);
    float* const values = kept_.data() + row * view_.cols;
    view_.read_rows(items[row], 1, values);
    prepare(row, values);
  }
}

void ScoreFilter::choose_centre() {
  constexpr std::size_t most_sampled = 2048;
  const std::size_t step = (items_.size() + most_sampled - 1) / most_sampled;
  std::vector<std::size_t> sample;
  for (std::size_t at = 0; at < items_.size(); at += step) sample.push_back(at);
  std::vector<float> row(view_.cols);
  const auto for_each_prepared = [&](std::span<const std::size_t> places, auto body) {
    for (const std::size_t at : places) {
      view_.read_rows(items_[at], 1, row.data());
      prepare(at, row.data());
      body(at);
    }
  };
  const auto mean_of = [&](std::span<const std::size_t> places) {
    std::vector<double> mean(view_.cols, 0);
    centre_.assign(view_.cols, 0);
    for_each_prepared(places, [&](std::size_t) {
      for (std::size_t d = 0; d < view_.cols; ++d) mean[d] += static_cast<double>(row[d]);
    });
    for (double& m : mean) m /= static_cast<double>(places.size());
    return mean;
  };
  centre_ = mean_of(sample);
  if (metric_ == Metric::l2) {
    // A single row far out drags the mean from all others, and every norm would exceed the distances between
    // them.
    std::vector<std::pair<double, std::size_t>> by_norm;
    for_each_prepared(
        sample, [&](std::size_t at) { by_norm.emplace_back(squared_norm(row.data(), view_.cols), at); });
    std::sort(by_norm.begin(), by_norm.end());
    std::vector<std::size_t> inner;
    for (std::size_t i = 0; i < (by_norm.size() + 1) / 2; ++i) inner.push_back(by_norm[i].second);
    centre_ = mean_of(inner);
  }

  double share = 0;
  for_each_prepared(sample, [&](std::size_t) {
    const double n = squared_norm(row.data(), view_.cols);
    if (n > 0) share += std::sqrt(squared_rounding(row.data(), view_.cols) / n);
  });
  usual_rounding_ = std::max(0x1p-12, share / static_cast<double>(sample.size()));
}

template <class Body>
void ScoreFilter::for_each_row(const Run& run, Body body) const {
  parallel_for(run, items_.size(), 256, [&](std::size_t begin, std::size_t end, unsigned) {
    Panel panel;
    // A row at a time where rows are long, so that no thread holds more than a panel.
    const std::size_t step =
        std::clamp<std::size_t>((std::size_t{1} << 18) / std::max<std::size_t>(1, view_.cols), 1, 256);
    for (std::size_t first = begin; first < end; first += step) {
      const std::size_t count = std::min(step, end - first);
      load_left(first, count, panel);
      for (std::size_t r = 0; r < count; ++r) body(first + r, panel.rows + r * view_.cols);
    }
  });
}

void ScoreFilter::measure_rows(const Run& run) {
  for_each_row(run, [&](std::size_t row, const float* values) {
    const double n = squared_norm(values, view_.cols);
    double error = n * relative_error_ + absolute_error_;
    if (kernel_->rounds_rows())
      error += (1 + 0x1p-7) * (squared_rounding(values, view_.cols) / usual_rounding_ + usual_rounding_ * n);
    const bool without_direction = metric_ == Metric::cosine && squared_norms_[items_[row]] == 0;
    offsets_[row] = static_cast<float>(n - error);
    widths_[row] = static_cast<float>(2.001 * error + (without_direction ? 1.1 : 0));
  });
}

void ScoreFilter::read(std::size_t first, std::size_t count, float* out) const {
  for (std::size_t at = 0; at < count;) {
    std::size_t run_length = 1;
    while (at + run_length < count && items_[first + at + run_length] == items_[first + at] + run_length)
      ++run_length;
    view_.read_rows(items_[first + at], run_length, out + at * view_.cols);
    at += run_length;
  }
}

void ScoreFilter::load_left(std::size_t first, std::size_t count, Panel& panel) const {
  panel.count = count;
  if (!kept_.empty()) {
    panel.rows = kept_.data() + first * view_.cols;
    return;
  }
  const float* direct = view_.as_floats();
  const bool in_one_piece = items_[first + count - 1] - items_[first] == count - 1;
  if (metric_ == Metric::l1 && scale_ == 1 && direct != nullptr && in_one_piece) {
    panel.rows = direct + items_[first] * view_.cols;
    return;
  }
  panel.buffer.resize(count * view_.cols);
  panel.rows = panel.buffer.data();
  read(first, count, panel.buffer.data());
  for (std::size_t r = 0; r < count; ++r) prepare(first + r, panel.buffer.data() + r * view_.cols);
}

void ScoreFilter::prepare(std::size_t row, float* values) const {
  if (metric_ == Metric::l2) {
    centre_row(values, centre_.data(), view_.cols, scale_);
  } else if (metric_ == Metric::cosine) {
    const double square = squared_norms_[items_[row]];
    centre_row(values, centre_.data(), view_.cols, square > 0 ? 1 / std::sqrt(square) : 0);
  } else if (scale_ != 1) {
    scale_row(values, view_.cols, scale_);
  }
}

void ScoreFilter::append_left(Item row, std::vector<float>& out) const {
  out.resize(out.size() + view_.cols);
  float* values = out.data() + out.size() - view_.cols;
  view_.read_rows(items_[row], 1, values);
  prepare(row, values);
}

void ScoreFilter::load_right(std::size_t first, std::size_t count, Panel& panel) const {
  if (metric_ != Metric::l1) return load_left(first, count, panel);
  Panel plain;
  load_left(first, count, plain);
  panel.count = count;
  panel.buffer.resize(l1_words(count, view_.cols));
  panel.rows = panel.buffer.data();
  lay_out_for_l1(plain.rows, count, view_.cols, panel.buffer.data());
}

void ScoreFilter::multiply(const Panel& left, const Panel& right, float* products) const {
  if (metric_ == Metric::l1)
    return l1_scores(left.rows, left.count, right.rows, right.count, view_.cols,
                     static_cast<float>(1 - relative_error_), products);
  const auto dimension = static_cast<int>(view_.cols);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(left.count),
              static_cast<int>(right.count), dimension, left_factor(), left.rows, dimension, right.rows,
              dimension, 0.0F, products, static_cast<int>(right.count));
}

const float* ScoreFilter::prepared_rows(std::size_t first, std::size_t count,
                                        std::vector<float>& scratch) const {
  Panel panel{.buffer = std::move(scratch)};
  load_left(first, count, panel);
  scratch = std::move(panel.buffer);
  return panel.rows;
}

void ScoreFilter::pack_left(std::size_t first, std::size_t count, std::vector<float>& scratch,
                            PackedPanel& out) const {
  kernel_->pack_left(prepared_rows(first, count, scratch), count, view_.cols, left_factor(), out);
}

void ScoreFilter::pack_right(std::size_t first, std::size_t count, std::vector<float>& scratch,
                             PackedPanel& out) const {
  kernel_->pack_right(prepared_rows(first, count, scratch), count, view_.cols, out);
}

float ScoreFilter::score_floor(double dissimilarity) const noexcept {
  switch (metric_) {
    case Metric::cosine:
      return round_down(-2 * dissimilarity - 0x1p-49);
    case Metric::l2: {
      const double length = dissimilarity * scale_;
      return round_down(-length * length * (1 + 0x1p-50) - 0x1p-140);
    }
    case Metric::l1:
      return round_down(-dissimilarity * scale_ * (1 + 0x1p-50));
  }
  return -std::numeric_limits<float>::infinity();
}

float ScoreFilter::score_ceiling(double dissimilarity) const noexcept {
  const float floor = score_floor(dissimilarity);
  // The widths of a pair and the stretch are at least 17 units of its score's rounding; this takes 8. The
  // rest makes up for what the floor takes off at 0, which for l1 is no more than the least of all floats.
  const float at_zero = metric_ == Metric::cosine ? 0x1p-48F : metric_ == Metric::l2 ? 0x1p-139F : 0x1p-149F;
  return std::min(0.0F, floor * (1 - 0x1p-21F) + at_zero);
}

}  // namespace pith
