#include "graph/cells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/clones.h"
#include "base/parallel.h"
#include "base/sample.h"
#include "graph/metric.h"
#include "graph/row_picker.h"

namespace pith {
namespace {

constexpr std::size_t rounds = 6;
constexpr std::size_t settling_rounds = 2;  ///< the last ones, in which no centre jumps
constexpr std::size_t sampled_per_cell = 24;
constexpr std::size_t chunk = 256;

PITH_CLONES void scale(float* values, std::size_t count, float factor) noexcept {
  for (std::size_t at = 0; at < count; ++at) values[at] *= factor;
}

/// Which rows have a place from `from` on and before `to`, both counted in places. A fraction of a place goes
/// to the rows with the smallest gaps there.
class Share {
 public:
  Share(const Cells::Nearest& nearest, std::size_t place, double from, double to)
      : gaps_(nearest.gaps.data() + (place - nearest.first)), stride_(nearest.last - nearest.first) {
    const auto at = static_cast<double>(place);
    if (from > at) above_ = gap_at(from - at, nearest);
    if (to < at + 1) most_ = gap_at(to - at, nearest);
  }
  [[nodiscard]] bool has(std::size_t row) const noexcept {
    const float gap = gaps_[row * stride_];
    return gap > above_ && gap <= most_;
  }

 private:
  [[nodiscard]] float gap_at(double share, const Cells::Nearest& nearest) const {
    std::vector<float> sorted(nearest.gaps.size() / stride_);
    for (std::size_t row = 0; row < sorted.size(); ++row) sorted[row] = gaps_[row * stride_];
    const auto middle =
        sorted.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }

  const float* gaps_;
  std::size_t stride_;
  float above_ = -std::numeric_limits<float>::infinity();
  float most_ = std::numeric_limits<float>::infinity();
};

}  // namespace

template <class Take>
void Cells::nearest(const float* rows, std::size_t count, std::size_t last, const PackedPanel& others,
                    const TileSide& other_side, Desk& desk, Take take) const {
  RowPicker picker(last);
  const std::size_t room =
      (TileSide::padded(others.count) + picker.lanes() - 1) / picker.lanes() * picker.lanes();
  const std::size_t stride = room + 16;  // a line of the cache more: not a power of two
  const std::vector<float> no_offsets(TileSide::padding, 0.0F);
  // What no kernel writes stays below everything.
  desk.scores.assign(TileSide::padding * stride, -std::numeric_limits<float>::infinity());
  for (std::size_t first = 0; first < count; first += TileSide::padding) {
    const std::size_t tall = std::min(TileSide::padding, count - first);
    kernel_.pack_left(rows + first * dimension_, tall, dimension_, 1.0F, desk.left);
    desk.left_side.assign(no_offsets.data(), tall);
    kernel_.write_values(desk.left, others, desk.left_side, other_side, desk.scores.data(), stride,
                         desk.kernel_scratch);
    for (std::size_t r = 0; r < tall; ++r) {
      const float* const mine = desk.scores.data() + r * stride;
      desk.best.clear();
      picker.for_each_from(picker.look(mine, room),
                           [&](std::size_t c) { desk.best.emplace_back(-mine[c], c); });
      std::sort(desk.best.begin(), desk.best.end());
      // A row that compares with nothing (not a number) falls to the first ones.
      for (std::uint32_t c = 0; desk.best.size() < last; ++c) desk.best.emplace_back(0.0F, c);
      take(first + r, std::span<const Near>(desk.best).first(last));
    }
  }
}

Cells::Cells(const ScoreFilter& filter, const TileKernel& kernel, std::size_t rows, std::size_t dimension,
             double largest, std::size_t cells, const Run& run)
    : filter_(filter),
      kernel_(kernel),
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
  centres_.resize(count_ * dimension);
  std::vector<Item> seeds(count_);
  std::vector<std::size_t> all(count_);
  std::iota(seeds.begin(), seeds.end(), Item{0});
  std::iota(all.begin(), all.end(), std::size_t{0});
  start_at(seeds, all, points, run);
  measure_centres();

  std::vector<std::uint32_t> cell_of(sampled);
  for (std::size_t round = 0; round < rounds; ++round) {
    parallel_for(run, sampled, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
      thread_local Desk desk;
      nearest(points.data() + begin * dimension, end - begin, 1, packed_centres_, centre_side_, desk,
              [&](std::size_t row, std::span<const Near> best) { cell_of[begin + row] = best[0].second; });
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
    if (round + settling_rounds < rounds) even_out(points_of, points, rng, run);
    measure_centres();
  }
}

/// In many dimensions a single point is farther from its likes than they are from the mean of everything, and
/// a centre there would never see them. A mean of likes is not.
void Cells::start_at(std::span<const Item> seeds, std::span<const std::size_t> cells,
                     const std::vector<float>& points, const Run& run) {
  const std::size_t count = points.size() / dimension_;
  const std::size_t wanted = std::min(count, std::clamp<std::size_t>(dimension_ / 32, 2, 17) - 1);
  std::vector<float> half_squares(count);
  for (std::size_t at = 0; at < count; ++at)
    half_squares[at] = static_cast<float>(squared_norm(points.data() + at * dimension_, dimension_) / 2);
  TileSide point_side;
  point_side.assign(half_squares.data(), count);
  PackedPanel packed_points;
  kernel_.pack_right(points.data(), count, dimension_, packed_points);
  parallel_for(run, seeds.size(), TileSide::padding, [&](std::size_t begin, std::size_t end, unsigned) {
    Desk desk;
    std::vector<float> rows;
    for (std::size_t at = begin; at < end; ++at)
      rows.insert(rows.end(), points.begin() + static_cast<std::ptrdiff_t>(seeds[at] * dimension_),
                  points.begin() + static_cast<std::ptrdiff_t>((seeds[at] + 1) * dimension_));
    nearest(rows.data(), end - begin, wanted, packed_points, point_side, desk,
            [&](std::size_t row, std::span<const Near> best) {
              float* const centre = centres_.data() + cells[begin + row] * dimension_;
              std::vector<double> sum(dimension_, 0.0);
              for (const auto& [score, point] : best)
                for (std::size_t d = 0; d < dimension_; ++d)
                  sum[d] += static_cast<double>(points[point * dimension_ + d]);
              for (std::size_t d = 0; d < dimension_; ++d)
                centre[d] = static_cast<float>(sum[d] / static_cast<double>(best.size()));
            });
  });
}

/// Work goes with the square of a cell's size. The smallest cells give up their centres, which jump to points
/// of the largest ones.
void Cells::even_out(const std::vector<std::vector<Item>>& points_of, const std::vector<float>& points,
                     Rng& rng, const Run& run) {
  std::vector<std::size_t> by_size(count_);
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return points_of[a].size() < points_of[b].size(); });
  const double mean = static_cast<double>(points.size() / dimension_) / static_cast<double>(count_);
  std::vector<Item> seeds;
  std::vector<std::size_t> cells;
  std::size_t from = count_;
  double left = 0;  // how many centres more the cell at `from` could do with
  for (std::size_t at = 0; at < count_ / 2; ++at) {
    if (left < 1) {
      if (--from <= at) break;
      left = static_cast<double>(points_of[by_size[from]].size()) / mean - 1;
    }
    const auto& largest = points_of[by_size[from]];
    if (left < 1 || static_cast<double>(points_of[by_size[at]].size()) > mean) break;
    left -= 1;
    seeds.push_back(largest[rng.below(largest.size())]);
    cells.push_back(by_size[at]);
  }
  if (!seeds.empty()) start_at(seeds, cells, points, run);
}

void Cells::measure_centres() {
  std::vector<float> half_squares(count_);
  for (std::size_t c = 0; c < count_; ++c) {
    double square = 0;
    for (std::size_t d = 0; d < dimension_; ++d) {
      const auto x = static_cast<double>(centres_[c * dimension_ + d]);
      square += x * x;
    }
    half_squares[c] = static_cast<float>(square / 2);
  }
  centre_side_.assign(half_squares.data(), count_);
  kernel_.pack_right(centres_.data(), count_, dimension_, packed_centres_);
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

Cells::Nearest Cells::find_nearest(std::size_t first, std::size_t last, const Run& run) const {
  const std::size_t places = last - first;
  Nearest found{.first = first, .last = last, .cells = {}, .gaps = {}};
  found.cells.resize(rows_ * places);
  found.gaps.resize(rows_ * places);
  parallel_for(run, rows_, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    thread_local Desk desk;
    load(begin, end - begin, desk.panel);
    nearest(desk.panel.rows, end - begin, last, packed_centres_, centre_side_, desk,
            [&](std::size_t row, std::span<const Near> best) {
              for (std::size_t place = first; place < last; ++place) {
                const std::size_t at = (begin + row) * places + place - first;
                found.cells[at] = best[place].second;
                found.gaps[at] = best[place].first - best[0].first;
              }
            });
  });
  return found;
}

Cells::Members Cells::members(const Nearest& nearest, double from, double to) const {
  const std::size_t places = nearest.last - nearest.first;
  std::vector<Share> shares;
  const auto first = static_cast<std::size_t>(from);
  const auto last = static_cast<std::size_t>(std::ceil(to));
  for (std::size_t place = first; place < last; ++place) shares.emplace_back(nearest, place, from, to);
  const auto for_each = [&](auto body) {
    for (std::size_t row = 0; row < rows_; ++row)
      for (std::size_t place = first; place < last; ++place)
        if (shares[place - first].has(row)) body(row, nearest.cells[row * places + place - nearest.first]);
  };
  Members members;
  members.starts.assign(count_ + 1, 0);
  for_each([&](std::size_t, std::uint32_t cell) { ++members.starts[cell + 1]; });
  std::partial_sum(members.starts.begin(), members.starts.end(), members.starts.begin());
  members.rows.resize(members.starts.back());
  std::vector<std::uint64_t> next(members.starts.begin(), members.starts.end() - 1);
  for_each([&](std::size_t row, std::uint32_t cell) { members.rows[next[cell]++] = static_cast<Item>(row); });
  return members;
}

}  // namespace pith
