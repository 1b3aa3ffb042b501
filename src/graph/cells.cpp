#include "graph/cells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/clones.h"
#include "base/parallel.h"
#include "base/sample.h"

namespace pith {
namespace {

constexpr std::size_t rounds = 6;
constexpr std::size_t settling_rounds = 2;  ///< the last ones, in which no centre jumps
constexpr std::size_t sampled_per_cell = 24;
constexpr std::size_t sampled_floats = std::size_t{1} << 26;  ///< in all, where that leaves a few a cell
constexpr std::size_t chunk = 256;

PITH_CLONES void scale(float* values, std::size_t count, float factor) noexcept {
  for (std::size_t at = 0; at < count; ++at) values[at] *= factor;
}

std::size_t sample_size(std::size_t rows, std::size_t dimension, std::size_t cells) {
  const std::size_t a_cell =
      std::clamp<std::size_t>(sampled_floats / (cells * dimension), 8, sampled_per_cell);
  return std::min(rows, cells * a_cell);
}

/// Prepared rows of l1 are as large as they come; squares must not overflow.
float scale_for(double largest) {
  return largest > 0x1p40 || (largest > 0 && largest < 0x1p-40)
             ? static_cast<float>(std::clamp(1 / largest, 0x1p-126, 0x1p126))
             : 1.0F;
}

/// Points whose mean a new centre is.
std::size_t likes_for(std::size_t dimension) noexcept {
  return std::clamp<std::size_t>(dimension / 32, 2, 17) - 1;
}

}  // namespace

std::uint64_t Cells::workspace_bytes(std::size_t rows, std::size_t dimension, std::size_t cells) noexcept {
  return 2 * sizeof(float) * dimension * (sample_size(rows, dimension, cells) + cells);
}

std::uint64_t Cells::desk_bytes(std::size_t rows, std::size_t dimension, std::size_t cells,
                                unsigned threads) {
  const std::uint64_t row = sizeof(float) * dimension;
  const std::uint64_t for_cells = chunk * row + CentreIndex::desk_bytes(cells, dimension);
  if (likes_for(dimension) == 1) return threads * for_cells;
  // Likes are looked for among all sampled points, by so many threads at a time.
  const std::uint64_t busy = std::min<std::uint64_t>(threads, (cells + chunk - 1) / chunk);
  const std::size_t points = sample_size(rows, dimension, cells);
  return threads * for_cells + busy * (chunk * row + CentreIndex::desk_bytes(points, dimension));
}

Cells::Cells(const ScoreFilter& filter, const TileKernel& kernel, std::size_t rows, std::size_t dimension,
             double largest, std::size_t cells, const Run& run)
    : filter_(filter),
      kernel_(kernel),
      rows_(rows),
      dimension_(dimension),
      scale_(scale_for(largest)),
      count_(std::min(cells, rows)),
      index_(kernel, dimension) {
  Rng rng(0);
  const std::size_t sampled = sample_size(rows, dimension, count_);
  const std::vector<Item> sample = sample_without_repeats(rows, sampled, rng);
  std::vector<float> points;
  points.reserve(sampled * dimension);
  load_some(sample, points);
  centres_.resize(count_ * dimension);
  std::vector<Item> seeds(count_);
  std::vector<std::size_t> all(count_);
  std::iota(seeds.begin(), seeds.end(), Item{0});
  std::iota(all.begin(), all.end(), std::size_t{0});
  start_at(seeds, all, points, run);

  std::vector<std::uint32_t> cell_of(sampled);
  std::vector<CentreIndex::Desk> desks(run.thread_count());
  for (std::size_t round = 0; round < rounds; ++round) {
    index_.assign(centres_);
    parallel_for(run, sampled, chunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
      CentreIndex::Desk& desk = desks[worker];
      index_.find(points.data() + begin * dimension, end - begin, 1, desk);
      for (std::size_t at = begin; at < end; ++at) cell_of[at] = desk.near[at - begin].centre;
    });
    std::vector<std::vector<Item>> points_of(count_);
    for (Item at = 0; at < sampled; ++at) points_of[cell_of[at]].push_back(at);
    parallel_for(run, count_, 16, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t c = begin; c < end; ++c)
        if (!points_of[c].empty()) move_centre(c, points_of[c], points);  // else it stays where it is
    });
    if (round + settling_rounds < rounds) even_out(points_of, points, rng, run);
  }
  index_.assign(centres_);
}

Cells::Cells(const ScoreFilter& filter, const TileKernel& kernel, std::size_t rows, std::size_t dimension,
             double largest, std::vector<float> centres)
    : filter_(filter),
      kernel_(kernel),
      rows_(rows),
      dimension_(dimension),
      scale_(scale_for(largest)),
      count_(centres.size() / dimension),
      centres_(std::move(centres)),
      index_(kernel, dimension) {
  index_.assign(centres_);
}

/// Points are summed in their order, whoever does it.
void Cells::move_centre(std::size_t cell, std::span<const Item> its_points,
                        const std::vector<float>& points) {
  std::vector<double> sum(dimension_, 0.0);
  for (const Item at : its_points)
    for (std::size_t d = 0; d < dimension_; ++d) sum[d] += static_cast<double>(points[at * dimension_ + d]);
  for (std::size_t d = 0; d < dimension_; ++d)
    centres_[cell * dimension_ + d] = static_cast<float>(sum[d] / static_cast<double>(its_points.size()));
}

/// In many dimensions a single point is farther from its likes than they are from the mean of everything, and
/// a centre there would never see them. A mean of likes is not.
void Cells::start_at(std::span<const Item> seeds, std::span<const std::size_t> cells,
                     const std::vector<float>& points, const Run& run) {
  const std::size_t count = points.size() / dimension_;
  const std::size_t likes = std::min(count, likes_for(dimension_));
  if (likes == 1) {
    for (std::size_t at = 0; at < seeds.size(); ++at) move_centre(cells[at], seeds.subspan(at, 1), points);
    return;
  }
  CentreIndex index(kernel_, dimension_);
  index.assign(points);
  parallel_for(run, seeds.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    CentreIndex::Desk desk;
    std::vector<float> rows;
    for (std::size_t at = begin; at < end; ++at)
      rows.insert(rows.end(), points.begin() + static_cast<std::ptrdiff_t>(seeds[at] * dimension_),
                  points.begin() + static_cast<std::ptrdiff_t>((seeds[at] + 1) * dimension_));
    index.find(rows.data(), end - begin, likes, desk);
    std::vector<Item> found(likes);
    for (std::size_t at = begin; at < end; ++at) {
      for (std::size_t place = 0; place < likes; ++place)
        found[place] = desk.near[(at - begin) * likes + place].centre;
      move_centre(cells[at], found, points);
    }
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
  const std::size_t sampled = points.size() / dimension_;
  const double mean = static_cast<double>(sampled) / static_cast<double>(count_);
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

Cells::Nearest Cells::nearest_of(std::span<const Item> rows, std::size_t places, const Run& run) const {
  Nearest found{.places = places, .cells = {}, .gaps = {}};
  found.cells.resize(rows.size() * places);
  found.gaps.resize(rows.size() * places);
  parallel_for(run, rows.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    CentreIndex::Desk desk;
    std::vector<float> loaded;
    load_some(rows.subspan(begin, end - begin), loaded);
    index_.find(loaded.data(), end - begin, places, desk);
    for (std::size_t at = begin * places; at < end * places; ++at) {
      const auto& near = desk.near[at - begin * places];
      found.cells[at] = near.centre;
      found.gaps[at] = near.distance - desk.near[(at / places - begin) * places].distance;
    }
  });
  return found;
}

Cells::Places Cells::places_of(std::size_t first, std::size_t last, const CellReach& reach, const Run& run,
                               std::uint32_t first_cell, std::uint32_t last_cell) const {
  const std::size_t count = last - first;
  Places places;
  constexpr std::size_t together = Places::rows_together;
  places.cells.resize((count + together - 1) / together);
  places.counts.resize(count);
  std::vector<CentreIndex::Desk> desks(run.thread_count());
  std::vector<Panel> panels(run.thread_count());
  parallel_for(run, count, together, [&](std::size_t begin, std::size_t end, unsigned worker) {
    CentreIndex::Desk& desk = desks[worker];
    Panel& panel = panels[worker];
    load(first + begin, end - begin, panel);
    index_.find_within(panel.rows, end - begin, reach.places, reach.gap, desk);
    std::vector<std::uint32_t>& cells = places.cells[begin / together];
    if (first_cell == 0 && last_cell >= count_) cells.reserve(desk.near.size());
    auto near = desk.near.begin();
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t before = cells.size();
      for (std::uint32_t place = 0; place < desk.counts[row - begin]; ++place, ++near)
        if (near->centre >= first_cell && near->centre < last_cell) cells.push_back(near->centre);
      places.counts[row] = static_cast<std::uint32_t>(cells.size() - before);
    }
  });
  return places;
}

Cells::Members Cells::members(const CellReach& reach, const Run& run) const {
  return members_of(0, static_cast<std::uint32_t>(count_), reach, run);
}

Cells::Members Cells::members_of(std::uint32_t first, std::uint32_t last, const CellReach& reach,
                                 const Run& run) const {
  Places places = places_of(0, rows_, reach, run, first, last);
  Members members;
  members.starts.assign(count_ + 1, 0);
  for (const auto& cells : places.cells)
    for (const std::uint32_t cell : cells) ++members.starts[cell + 1];
  std::partial_sum(members.starts.begin(), members.starts.end(), members.starts.begin());
  members.rows.resize(members.starts.back());
  std::vector<std::uint64_t> next(members.starts.begin(), members.starts.end() - 1);
  places.use_up(0, [&](Item row, std::uint32_t cell) { members.rows[next[cell]++] = row; });
  return members;
}

}  // namespace pith
