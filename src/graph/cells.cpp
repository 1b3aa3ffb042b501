#include "graph/cells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/clones.h"
#include "base/parallel.h"
#include "base/sample.h"
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

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// Empties the places of rows that a fraction does not reach: at the first place those it has reached before,
/// at the last those it does not reach yet. `from` and `to` count from the first place.
void leave_out(const std::vector<float>& gaps, std::size_t places, double from, double to,
               std::vector<std::uint32_t>& cell_of) {
  const std::size_t rows = gaps.size() / places;
  std::vector<float> sorted(rows);
  /// Keeps those at a place whose gap is, or is not, among the smallest `share`.
  const auto keep = [&](std::size_t place, double share, bool smallest) {
    for (std::size_t row = 0; row < rows; ++row) sorted[row] = gaps[row * places + place];
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(rows - 1));
    std::nth_element(sorted.begin(), middle, sorted.end());
    for (std::size_t row = 0; row < rows; ++row)
      if ((gaps[row * places + place] <= *middle) != smallest) cell_of[row * places + place] = nowhere;
  };
  if (from > 0) keep(0, from, false);
  const double beyond = static_cast<double>(places) - to;
  if (beyond > 0) keep(places - 1, 1 - beyond, true);
}

}  // namespace

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
  centres_.assign(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(count_ * dimension));
  measure_centres();

  std::vector<std::uint32_t> cell_of(sampled);
  for (std::size_t round = 0; round < rounds; ++round) {
    parallel_for(run, sampled, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
      thread_local Desk desk;
      nearest(points.data() + begin * dimension, end - begin, 1, desk, cell_of.data() + begin, nullptr);
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

void Cells::nearest(const float* rows, std::size_t count, std::size_t last, Desk& desk, std::uint32_t* out,
                    float* gaps) const {
  RowPicker picker(last);
  const std::size_t room = (TileSide::padded(count_) + picker.lanes() - 1) / picker.lanes() * picker.lanes();
  const std::size_t stride = room + 16;  // a line of the cache more: not a power of two
  const std::vector<float> no_offsets(TileSide::padding, 0.0F);
  // What no kernel writes stays below everything.
  desk.scores.assign(TileSide::padding * stride, -std::numeric_limits<float>::infinity());
  for (std::size_t first = 0; first < count; first += TileSide::padding) {
    const std::size_t tall = std::min(TileSide::padding, count - first);
    kernel_.pack_left(rows + first * dimension_, tall, dimension_, 1.0F, desk.left);
    desk.left_side.assign(no_offsets.data(), tall);
    kernel_.write_values(desk.left, packed_centres_, desk.left_side, centre_side_, desk.scores.data(), stride,
                         desk.kernel_scratch);
    for (std::size_t r = 0; r < tall; ++r) {
      const float* const mine = desk.scores.data() + r * stride;
      desk.best.clear();
      picker.for_each_from(picker.look(mine, room),
                           [&](std::size_t c) { desk.best.emplace_back(-mine[c], c); });
      std::sort(desk.best.begin(), desk.best.end());
      // A row that compares with nothing (not a number) falls to the first centres.
      for (std::uint32_t c = 0; desk.best.size() < last; ++c) desk.best.emplace_back(0.0F, c);
      for (std::size_t place = 0; place < last; ++place) {
        out[(first + r) * last + place] = desk.best[place].second;
        if (gaps != nullptr) gaps[(first + r) * last + place] = desk.best[place].first - desk.best[0].first;
      }
    }
  }
}

Cells::Members Cells::members(double from, double to, const Run& run) const {
  const auto first_place = static_cast<std::size_t>(from);
  const auto last = std::min(static_cast<std::size_t>(std::ceil(to)), count_);
  const std::size_t places = last - first_place;
  std::vector<std::uint32_t> cell_of(rows_ * places);
  std::vector<float> gaps(rows_ * places);
  parallel_for(run, rows_, chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    thread_local Desk desk;
    thread_local std::vector<std::uint32_t> its_cells;
    thread_local std::vector<float> its_gaps;
    its_cells.resize((end - begin) * last);
    its_gaps.resize((end - begin) * last);
    load(begin, end - begin, desk.panel);
    nearest(desk.panel.rows, end - begin, last, desk, its_cells.data(), its_gaps.data());
    for (std::size_t row = begin; row < end; ++row) {
      std::copy_n(its_cells.data() + (row - begin) * last + first_place, places, &cell_of[row * places]);
      std::copy_n(its_gaps.data() + (row - begin) * last + first_place, places, &gaps[row * places]);
    }
  });
  leave_out(gaps, places, from - static_cast<double>(first_place), to - static_cast<double>(first_place),
            cell_of);

  Members members;
  members.starts.assign(count_ + 1, 0);
  for (const std::uint32_t cell : cell_of)
    if (cell != nowhere) ++members.starts[cell + 1];
  std::partial_sum(members.starts.begin(), members.starts.end(), members.starts.begin());
  members.rows.resize(members.starts.back());
  std::vector<std::uint64_t> next(members.starts.begin(), members.starts.end() - 1);
  for (std::size_t row = 0; row < rows_; ++row)
    for (std::size_t place = 0; place < places; ++place)
      if (const std::uint32_t cell = cell_of[row * places + place]; cell != nowhere)
        members.rows[next[cell]++] = static_cast<Item>(row);
  return members;
}

}  // namespace pith
