#include "graph/triangle_walk.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/clones.h"
#include "base/parallel.h"

namespace pith {
namespace {

[[gnu::always_inline]] inline double smaller(double a, double b) noexcept { return a < b ? a : b; }
[[gnu::always_inline]] inline double larger(double a, double b) noexcept { return a < b ? b : a; }

/// Kahan's order: with a >= b >= c every difference below is taken between near numbers, so none loses digits.
[[gnu::always_inline]] inline double area_of(double x, double y, double z) noexcept {
  const double a = larger(larger(x, y), z);
  const double c = smaller(smaller(x, y), z);
  const double b = larger(smaller(x, y), smaller(larger(x, y), z));
  const double square = (a + (b + c)) * larger(c - (a - b), 0) * (c + (a - b)) * (a + (b - c));
  return 0.25 * std::sqrt(square);
}

/// `doubled`: lengths are sqrt(2 d), not d.
PITH_CLONES void compute_areas(const double* lengths, const std::uint32_t* second, const std::uint32_t* third,
                               const float* opposite, bool doubled, std::size_t count, double* areas) noexcept {
  if (doubled) {
    for (std::size_t t = 0; t < count; ++t) areas[t] = std::sqrt(2 * static_cast<double>(opposite[t]));
  } else {
    for (std::size_t t = 0; t < count; ++t) areas[t] = static_cast<double>(opposite[t]);
  }
  for (std::size_t t = 0; t < count; ++t) areas[t] = area_of(lengths[second[t]], lengths[third[t]], areas[t]);
}

constexpr std::size_t lopsided = 16;  ///< above this ratio of sizes, search beats merging

}  // namespace

double triangle_area(double a, double b, double c) noexcept { return area_of(a, b, c); }

UpperRows::UpperRows(const Graph& graph, const Run& run) : rows(graph.size()) {
  std::mutex mutex;
  const auto offsets = graph.offsets();
  const auto all = graph.all_neighbors();
  parallel_for(run, graph.size(), 16384, [&](std::size_t begin, std::size_t end, unsigned) {
    double local = 0;
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t first = offsets[i];
      if (offsets[i + 1] - first <= 64) {
        for (std::uint64_t at = offsets[i]; at < offsets[i + 1]; ++at) first += static_cast<std::uint64_t>(all[at] < i);
      } else {
        const auto row = graph.neighbors(static_cast<Item>(i));
        first += static_cast<std::uint64_t>(std::lower_bound(row.begin(), row.end(), i) - row.begin());
      }
      rows[i] = {first, offsets[i + 1]};
      local += static_cast<double>(rows[i].size()) * static_cast<double>(rows[i].size());
    }
    const std::lock_guard lock(mutex);
    work += local;
  });
}

void TriangleFan::ask_for(Item next, Item later) const noexcept {
  const Item* all = graph_.all_neighbors().data();
  const float* dissimilarities = graph_.all_dissimilarities().data();
  const auto far = upper_.rows[later];
  for (auto at = far.begin; at < far.end; ++at) __builtin_prefetch(&upper_.rows[all[at]]);
  const auto near = upper_.rows[next];
  for (auto at = near.begin; at < near.end; ++at) {
    const auto row = upper_.rows[all[at]];
    __builtin_prefetch(all + row.begin);
    __builtin_prefetch(all + row.end);
    __builtin_prefetch(dissimilarities + row.begin);
    __builtin_prefetch(dissimilarities + row.end);
  }
}

void TriangleFan::reserve(std::size_t more) {
  if (size_ + more <= second_.size()) return;
  const std::size_t room = std::max(2 * second_.size(), size_ + more);
  second_.resize(room);
  third_.resize(room);
  opposite_.resize(room);
}

void TriangleFan::match(std::uint32_t place, UpperRows::Row other) {
  const Item* const all = graph_.all_neighbors().data();
  const float* const dissimilarities = graph_.all_dissimilarities().data();
  const Item* const a = row_;
  const auto count = static_cast<std::uint32_t>(corners_);
  const std::size_t left = corners_ - place - 1;
  // A merge writes one place past the last match.
  reserve(std::min(left, other.size()) + 1);
  std::uint32_t* const second = second_.data();
  std::uint32_t* const third = third_.data();
  float* const opposite = opposite_.data();
  std::size_t found = size_;
  const auto record = [&](std::uint32_t x, std::uint64_t y) {
    second[found] = place;
    third[found] = x;
    opposite[found] = dissimilarities[y];
  };

  if (left > lopsided * other.size()) {
    const Item* from = a + place + 1;
    for (auto y = other.begin; y < other.end; ++y) {
      from = std::lower_bound(from, a + count, all[y]);
      if (from == a + count) break;
      record(static_cast<std::uint32_t>(from - a), y);
      found += static_cast<std::size_t>(*from == all[y]);
    }
  } else if (other.size() > lopsided * left) {
    const Item* from = all + other.begin;
    for (std::uint32_t x = place + 1; x < count; ++x) {
      from = std::lower_bound(from, all + other.end, a[x]);
      if (from == all + other.end) break;
      record(x, static_cast<std::uint64_t>(from - all));
      found += static_cast<std::size_t>(*from == a[x]);
    }
  } else {
    std::uint32_t x = place + 1;
    auto y = other.begin;
    while (x < count && y < other.end) {
      const Item p = a[x];
      const Item q = all[y];
      record(x, y);
      found += static_cast<std::size_t>(p == q);
      x += static_cast<std::uint32_t>(p <= q);
      y += static_cast<std::uint64_t>(q <= p);
    }
  }
  size_ = found;
}

void TriangleFan::open(Item item, Item next, Item later) {
  ask_for(next, later);
  const auto mine = upper_.rows[item];
  const Item* const all = graph_.all_neighbors().data();
  row_ = all + mine.begin;
  corners_ = mine.size();
  size_ = 0;
  for (std::uint32_t place = 0; place + 1 < corners_; ++place) match(place, upper_.rows[row_[place]]);
  if (size_ == 0) return;

  lengths_.resize(std::max(lengths_.size(), corners_));
  for (std::size_t c = 0; c < corners_; ++c)
    lengths_[c] = graph_.length(graph_.all_dissimilarities()[mine.begin + c]);
  areas_.resize(std::max(areas_.size(), size_));
  compute_areas(lengths_.data(), second_.data(), third_.data(), opposite_.data(),
                graph_.info().metric == Metric::cosine, size_, areas_.data());
}

}  // namespace pith
