#include "graph/score_filter.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.h"
#include "base/parallel.h"
#include "graph/metric.h"
#include "pith/error.h"

namespace pith {
namespace {

PITH_CLONES void scale_row(float* row, std::size_t dimension, double factor) noexcept {
  for (std::size_t d = 0; d < dimension; ++d)
    row[d] = static_cast<float>(static_cast<double>(row[d]) * factor);
}

PITH_CLONES void centre_row(float* row, const double* centre, std::size_t dimension, double factor) noexcept {
  for (std::size_t d = 0; d < dimension; ++d)
    row[d] = static_cast<float>((static_cast<double>(row[d]) - centre[d]) * factor);
}

constexpr std::size_t l1_strip = 64;  ///< columns summed side by side

/// out[c] = -shrink * sum_d |row[d] - columns[d * stride + c]|, c < l1_strip.
PITH_CLONES void sum_strip(const float* row, const float* columns, std::size_t stride, std::size_t dimension,
                           float shrink, float* out) noexcept {
  float sums[l1_strip] = {};
  for (std::size_t d = 0; d < dimension; ++d, columns += stride) {
    const float x = row[d];
    for (std::size_t c = 0; c < l1_strip; ++c) sums[c] += std::fabs(x - columns[c]);
  }
  for (std::size_t c = 0; c < l1_strip; ++c) out[c] = -shrink * sums[c];
}

std::size_t padded(std::size_t count) noexcept {
  return (count + l1_strip - 1) / l1_strip * l1_strip;
}

}  // namespace

float round_down(double value) noexcept {
  const auto nearest = static_cast<float>(value);
  return static_cast<double>(nearest) <= value
             ? nearest
             : std::nextafter(nearest, -std::numeric_limits<float>::infinity());
}

ScoreFilter::ScoreFilter(const MatrixView& view, Metric metric, const RowFacts& facts,
                         std::span<const Item> items, const Run& run)
    : view_(view), metric_(metric), items_(items), squared_norms_(facts.squared_norms) {
  if (view.cols > most_columns)
    throw Error(ErrorKind::unsupported, "embeddings of " + std::to_string(view.cols) +
                                            " columns: no more than " + std::to_string(most_columns) +
                                            " are supported");
  const auto dimension = static_cast<double>(view.cols);
  const double steps = (dimension + 16) * 0x1p-24;
  relative_error_ = steps / (1 - steps);
  absolute_error_ = (dimension + 16) * 0x1p-118;
  offsets_.assign(items.size(), 0);
  widths_.assign(items.size(), 0);

  switch (metric) {
    case Metric::cosine: {
      const double error = relative_error_ + absolute_error_;
      offsets_.assign(items.size(), static_cast<float>(-error / 2 * 1.001));
      widths_.assign(items.size(), static_cast<float>(error * 1.002));
      break;
    }
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

void ScoreFilter::choose_centre() {
  constexpr std::size_t most_sampled = 2048;
  const std::size_t step = (items_.size() + most_sampled - 1) / most_sampled;
  centre_.assign(view_.cols, 0);
  RowReader reader(view_);
  std::size_t sampled = 0;
  for (std::size_t row = 0; row < items_.size(); row += step, ++sampled) {
    const float* x = reader.row(items_[row], 0);
    for (std::size_t d = 0; d < view_.cols; ++d) centre_[d] += static_cast<double>(x[d]);
  }
  for (double& c : centre_) c /= static_cast<double>(sampled);
}

void ScoreFilter::measure_rows(const Run& run) {
  parallel_for(run, items_.size(), 256, [&](std::size_t begin, std::size_t end, unsigned) {
    Panel panel;
    // A row at a time where rows are long, so that no thread holds more than a panel.
    const std::size_t step =
        std::clamp<std::size_t>((std::size_t{1} << 18) / std::max<std::size_t>(1, view_.cols), 1, 256);
    for (std::size_t first = begin; first < end; first += step) {
      const std::size_t count = std::min(step, end - first);
      load_left(first, count, panel);
      for (std::size_t r = 0; r < count; ++r) {
        const double n = squared_norm(panel.rows + r * view_.cols, view_.cols);
        offsets_[first + r] = static_cast<float>(n * (1 - relative_error_) - absolute_error_);
        widths_[first + r] = static_cast<float>(2.001 * (n * relative_error_ + absolute_error_));
      }
    }
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
    scale_row(values, view_.cols, square > 0 ? 1 / std::sqrt(square) : 0);
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
  const std::size_t stride = padded(count);
  panel.count = count;
  panel.buffer.assign(stride * view_.cols, 0);
  panel.rows = panel.buffer.data();
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t d = 0; d < view_.cols; ++d)
      panel.buffer[d * stride + r] = plain.rows[r * view_.cols + d];
}

void ScoreFilter::multiply(const Panel& left, const Panel& right, float* products) const {
  if (metric_ != Metric::l1) {
    const auto dimension = static_cast<int>(view_.cols);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(left.count),
                static_cast<int>(right.count), dimension, metric_ == Metric::l2 ? 2.0F : 1.0F, left.rows,
                dimension, right.rows, dimension, 0.0F, products, static_cast<int>(right.count));
    return;
  }
  const auto shrink = static_cast<float>(1 - relative_error_);
  const std::size_t stride = padded(right.count);
  float strip[l1_strip];
  for (std::size_t c = 0; c < right.count; c += l1_strip) {
    const std::size_t width = std::min(l1_strip, right.count - c);
    for (std::size_t r = 0; r < left.count; ++r) {
      sum_strip(left.rows + r * view_.cols, right.rows + c, stride, view_.cols, shrink, strip);
      std::copy_n(strip, width, products + r * right.count + c);
    }
  }
}

float ScoreFilter::score_floor(double dissimilarity) const noexcept {
  switch (metric_) {
    case Metric::cosine:
      return round_down(1 - dissimilarity - 0x1p-50);
    case Metric::l2: {
      const double length = dissimilarity * scale_;
      return round_down(-length * length * (1 + 0x1p-50) - 0x1p-140);
    }
    case Metric::l1:
      return round_down(-dissimilarity * scale_ * (1 + 0x1p-50));
  }
  return -std::numeric_limits<float>::infinity();
}

}  // namespace pith
