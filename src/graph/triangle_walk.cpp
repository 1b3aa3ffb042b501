#include "graph/triangle_walk.h"

#include <algorithm>
#include <cmath>

#include "base/clones.h"
#include "base/parallel.h"

namespace pith {
namespace {

[[gnu::always_inline]] inline double smaller(double a, double b) noexcept {
  return a < b ? a : b;
}
[[gnu::always_inline]] inline double larger(double a, double b) noexcept {
  return a < b ? b : a;
}

/// Kahan's order: with a >= b >= c every difference below is taken between near numbers, so none loses
/// digits.
[[gnu::always_inline]] inline double area_of(double x, double y, double z) noexcept {
  const double a = larger(larger(x, y), z);
  const double c = smaller(smaller(x, y), z);
  const double b = larger(smaller(x, y), smaller(larger(x, y), z));
  const double square = (a + (b + c)) * larger(c - (a - b), 0) * (c + (a - b)) * (a + (b - c));
  return 0.25 * std::sqrt(square);
}

/// `doubled`: lengths are sqrt(2 d), not d.
PITH_CLONES void compute_areas(const double* lengths, const std::uint32_t* second, const std::uint32_t* third,
                               const float* opposite, bool doubled, std::size_t count,
                               double* areas) noexcept {
  if (doubled) {
    for (std::size_t t = 0; t < count; ++t) areas[t] = std::sqrt(2 * static_cast<double>(opposite[t]));
  } else {
    for (std::size_t t = 0; t < count; ++t) areas[t] = static_cast<double>(opposite[t]);
  }
  for (std::size_t t = 0; t < count; ++t) areas[t] = area_of(lengths[second[t]], lengths[third[t]], areas[t]);
}

constexpr std::size_t lopsided = 16;  ///< above this ratio of sizes, search beats merging

}  // namespace

double triangle_area(double a, double b, double c) noexcept {
  return area_of(a, b, c);
}

UpperRows::UpperRows(const Graph& graph, const Run& run) : offsets(graph.size() + 1) {
  constexpr std::size_t chunk = 1024;
  const auto starts = graph.offsets();
  const Item* const neighbors = graph.all_neighbors().data();
  const float* const dissimilarities = graph.all_dissimilarities().data();
  parallel_for(run, graph.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t above = 0;
      for (std::uint64_t at = starts[i]; at < starts[i + 1]; ++at)
        above += static_cast<std::uint64_t>(neighbors[at] > i);
      offsets[i + 1] = above;
    }
  });
  for (std::size_t i = 0; i < graph.size(); ++i) {
    work += static_cast<double>(offsets[i + 1]) * static_cast<double>(offsets[i + 1]);
    offsets[i + 1] += offsets[i];
  }
  edges = std::make_unique_for_overwrite<Edge[]>(offsets.back());
  parallel_for(run, graph.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned) {
    Edge* next = edges.get() + offsets[begin];
    for (std::size_t i = begin; i < end; ++i)
      for (std::uint64_t at = starts[i + 1] - (offsets[i + 1] - offsets[i]); at < starts[i + 1]; ++at)
        *next++ = {neighbors[at], dissimilarities[at]};
  });
}

void TriangleFan::ask_for(Item next, Item later) const noexcept {
  for (const auto& edge : upper_.row(later)) __builtin_prefetch(&upper_.offsets[edge.item]);
  for (const auto& edge : upper_.row(next)) {
    const auto row = upper_.row(edge.item);
    __builtin_prefetch(row.data());
    __builtin_prefetch(row.data() + row.size());
  }
}

void TriangleFan::reserve(std::size_t more) {
  if (size_ + more <= second_.size()) return;
  const std::size_t room = std::max(2 * second_.size(), size_ + more);
  second_.resize(room);
  third_.resize(room);
  opposite_.resize(room);
}

void TriangleFan::match(std::uint32_t place, std::span<const UpperRows::Edge> other) {
  using Edge = UpperRows::Edge;
  const Edge* const a = row_.data();
  const Edge* const b = other.data();
  const std::size_t a_size = row_.size();
  const std::size_t left = a_size - place - 1;
  // A place past the last match is written to as well.
  reserve(std::min(left, other.size()) + 1);
  std::uint32_t* const second = second_.data();
  std::uint32_t* const third = third_.data();
  float* const opposite = opposite_.data();
  std::size_t found = size_;
  const auto meet = [&](std::size_t x, std::size_t y) {
    second[found] = place;
    third[found] = static_cast<std::uint32_t>(x);
    opposite[found] = b[y].dissimilarity;
    found += static_cast<std::size_t>(a[x].item == b[y].item);
  };
  const auto before = [](const Edge& edge, Item item) { return edge.item < item; };

  if (left > lopsided * other.size()) {
    std::size_t x = place + 1;
    for (std::size_t y = 0; y < other.size(); ++y) {
      x = static_cast<std::size_t>(std::lower_bound(a + x, a + a_size, b[y].item, before) - a);
      if (x == a_size) break;
      meet(x, y);
    }
  } else if (other.size() > lopsided * left) {
    std::size_t y = 0;
    for (std::size_t x = place + 1; x < a_size; ++x) {
      y = static_cast<std::size_t>(std::lower_bound(b + y, b + other.size(), a[x].item, before) - b);
      if (y == other.size()) break;
      meet(x, y);
    }
  } else {
    std::size_t x = place + 1;
    std::size_t y = 0;
    while (x < a_size && y < other.size()) {
      const Item p = a[x].item;
      const Item q = b[y].item;
      meet(x, y);
      x += static_cast<std::size_t>(p <= q);
      y += static_cast<std::size_t>(q <= p);
    }
  }
  size_ = found;
}

void TriangleFan::open(Item item, Item next, Item later) {
  ask_for(next, later);
  row_ = upper_.row(item);
  size_ = 0;
  for (std::uint32_t place = 0; place + 1 < row_.size(); ++place) match(place, upper_.row(row_[place].item));
  if (size_ == 0) return;

  lengths_.resize(std::max(lengths_.size(), row_.size()));
  for (std::size_t c = 0; c < row_.size(); ++c) lengths_[c] = graph_.length(row_[c].dissimilarity);
  areas_.resize(std::max(areas_.size(), size_));
  compute_areas(lengths_.data(), second_.data(), third_.data(), opposite_.data(),
                graph_.info().metric == Metric::cosine, size_, areas_.data());
}

}  // namespace pith
