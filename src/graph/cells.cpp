#include "graph/cells.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/clones.h"
#include "base/parallel.h"
#include "base/sample.h"

namespace pith {
namespace {

constexpr std::size_t rounds = 6;
constexpr std::size_t settling_rounds = 2;  ///< the last ones, in which no centre jumps
constexpr std::size_t sampled_per_cell = 24;
constexpr std::size_t chunk = 256;

/// The first place of the largest score.
PITH_CLONES std::size_t place_of_largest(const float* scores, std::size_t count) noexcept {
  constexpr std::size_t lanes = 16;
  float most[lanes];
  std::fill_n(most, lanes, -std::numeric_limits<float>::infinity());
  std::size_t c = 0;
  for (; c + lanes <= count; c += lanes)
    for (std::size_t l = 0; l < lanes; ++l) most[l] = scores[c + l] > most[l] ? scores[c + l] : most[l];
  for (; c < count; ++c) most[0] = scores[c] > most[0] ? scores[c] : most[0];
  float largest = most[0];
  for (const float value : most) largest = value > largest ? value : largest;
  // A row that compares with nothing (not a number) falls to the first centre.
  for (c = 0; c + lanes <= count; c += lanes) {
    std::uint32_t any = 0;
    for (std::size_t l = 0; l < lanes; ++l) any |= static_cast<std::uint32_t>(scores[c + l] == largest);
    if (any != 0) break;
  }
  for (; c < count; ++c)
    if (scores[c] == largest) return c;
  return 0;
}

PITH_CLONES void subtract(float* scores, const float* taken, std::size_t count) noexcept {
  for (std::size_t c = 0; c < count; ++c) scores[c] -= taken[c];
}

PITH_CLONES void scale(float* values, std::size_t count, float factor) noexcept {
  for (std::size_t at = 0; at < count; ++at) values[at] *= factor;
}

}  // namespace

Cells::Cells(const ScoreFilter& filter, std::size_t rows, std::size_t dimension, double largest,
             std::size_t cells, const Run& run)
    : filter_(filter),
      rows_(rows),
      dimension_(dimension),
      // Prepared rows of l1 are as large as they come; squares must not overflow.
      scale_(largest > 0x1p40 || (largest > 0 && largest < 0x1p-40) ? static_cast<float>(1 / largest) : 1.0F),
      count_(std::min(cells, rows)) {
  Rng rng(0);
  const std::size_t sampled = std::min(rows, count_ * sampled_per_cell);
  const std::vector<Item> sample = sample_without_repeats(rows, sampled, rng);
  std::vector<float> points;
  load_some(sample, points);
  centres_.assign(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(count_ * dimension));
  half_squares_.resize(count_);
  measure_centres();

  std::vector<std::uint32_t> cell_of(sampled);
  for (std::size_t round = 0; round < rounds; ++round) {
    parallel_for(run, sampled, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
      std::vector<float> scores;
      nearest(points.data() + begin * dimension, end - begin, 1, scores, cell_of.data() + begin);
    });
    // Every centre sums its points in their order, whoever does it.
    std::vector<std::vector<Item>> points_of(count_);
    for (Item at = 0; at < sampled; ++at) points_of[cell_of[at]].push_back(at);
    parallel_for(run, count_, 16, [&](std::size_t begin, std::size_t end, unsigned) {
      std::vector<double> sum(dimension);
      for (std::size_t c = begin; c < end; ++c) {
        if (points_of[c].empty()) continue;  // stays where it is
        std::fill(sum.begin(), sum.end(), 0.0);
        for (const Item at : points_of[c])
          for (std::size_t d = 0; d < dimension; ++d)
            sum[d] += static_cast<double>(points[at * dimension + d]);
        for (std::size_t d = 0; d < dimension; ++d)
          centres_[c * dimension + d] = static_cast<float>(sum[d] / static_cast<double>(points_of[c].size()));
      }
    });
    if (round + settling_rounds < rounds) even_out(points_of, points, rng);
    measure_centres();
  }
}

/// Work goes with the square of a cell's size. The smallest cells give up their centres, which jump to points
/// of the largest ones.
void Cells::even_out(const std::vector<std::vector<Item>>& points_of, const std::vector<float>& points,
                     Rng& rng) {
  std::vector<std::size_t> by_size(count_);
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return points_of[a].size() < points_of[b].size(); });
  const double mean = static_cast<double>(points.size() / dimension_) / static_cast<double>(count_);
  for (std::size_t at = 0; at < count_ / 2; ++at) {
    const auto& largest = points_of[by_size[count_ - 1 - at]];
    const auto& smallest = points_of[by_size[at]];
    if (static_cast<double>(largest.size()) < 2 * mean || static_cast<double>(smallest.size()) > mean) return;
    const Item point = largest[rng.below(largest.size())];
    std::copy_n(points.begin() + static_cast<std::ptrdiff_t>(point * dimension_), dimension_,
                centres_.begin() + static_cast<std::ptrdiff_t>(by_size[at] * dimension_));
  }
}

void Cells::measure_centres() {
  for (std::size_t c = 0; c < count_; ++c) {
    double square = 0;
    for (std::size_t d = 0; d < dimension_; ++d) {
      const auto x = static_cast<double>(centres_[c * dimension_ + d]);
      square += x * x;
    }
    half_squares_[c] = static_cast<float>(square / 2);
  }
}

void Cells::load(std::size_t first, std::size_t count, Panel& panel) const {
  filter_.load_left(first, count, panel);
  if (scale_ == 1) return;
  if (panel.rows != panel.buffer.data()) panel.buffer.assign(panel.rows, panel.rows + count * dimension_);
  panel.rows = panel.buffer.data();
  scale(panel.buffer.data(), count * dimension_, scale_);
}

void Cells::load_some(std::span<const Item> rows, std::vector<float>& out) const {
  for (const Item row : rows) filter_.append_left(row, out);
  if (scale_ != 1) scale(out.data(), out.size(), scale_);
}

void Cells::nearest(const float* rows, std::size_t count, std::size_t last, std::vector<float>& scores,
                    std::uint32_t* out) const {
  scores.resize(count * count_);
  const auto dimension = static_cast<int>(dimension_);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(count), static_cast<int>(count_),
              dimension, 1.0F, rows, dimension, centres_.data(), dimension, 0.0F, scores.data(),
              static_cast<int>(count_));
  for (std::size_t r = 0; r < count; ++r) {
    float* const mine = scores.data() + r * count_;
    subtract(mine, half_squares_.data(), count_);
    for (std::size_t place = 0; place < last; ++place) {
      const std::size_t found = place_of_largest(mine, count_);
      out[r * last + place] = static_cast<std::uint32_t>(found);
      mine[found] = -std::numeric_limits<float>::infinity();
    }
  }
}

Cells::Members Cells::members(std::size_t first_place, std::size_t places, const Run& run) const {
  const std::size_t last = first_place + places;
  std::vector<std::uint32_t> cell_of(rows_ * places);
  parallel_for(run, rows_, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    thread_local Panel panel;
    thread_local std::vector<float> scores;
    thread_local std::vector<std::uint32_t> places_of;
    places_of.resize((end - begin) * last);
    load(begin, end - begin, panel);
    nearest(panel.rows, end - begin, last, scores, places_of.data());
    for (std::size_t row = begin; row < end; ++row)
      std::copy_n(places_of.data() + (row - begin) * last + first_place, places,
                  cell_of.data() + row * places);
  });
  Members members;
  members.starts.assign(count_ + 1, 0);
  for (const std::uint32_t cell : cell_of) ++members.starts[cell + 1];
  std::partial_sum(members.starts.begin(), members.starts.end(), members.starts.begin());
  members.rows.resize(cell_of.size());
  std::vector<std::uint64_t> next(members.starts.begin(), members.starts.end() - 1);
  for (std::size_t row = 0; row < rows_; ++row)
    for (std::size_t place = 0; place < places; ++place)
      members.rows[next[cell_of[row * places + place]]++] = static_cast<Item>(row);
  return members;
}

}  // namespace pith
