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

/// What `other`, the row of the corner at `place`, has in common with the row of the item. Looking each item
/// of the one up in slots of the other beats merging the two, whose every step waits for the one before.
void TriangleFan::match(std::uint32_t place, std::span<const UpperRows::Edge> other) {
  using Edge = UpperRows::Edge;
  const std::size_t left = row_.size() - place - 1;
  reserve(std::min(left, other.size()));
  const auto before = [](const Edge& edge, Item item) { return edge.item < item; };
  const auto record = [&](std::size_t x, std::size_t y) {
    second_[size_] = place;
    third_[size_] = static_cast<std::uint32_t>(x);
    opposite_[size_++] = other[y].dissimilarity;
  };

  if (other.size() > lopsided * left) {
    auto from = other.begin();
    for (std::size_t x = place + 1; x < row_.size(); ++x) {
      from = std::lower_bound(from, other.end(), row_[x].item, before);
      if (from == other.end()) break;
      if (from->item == row_[x].item) record(x, static_cast<std::size_t>(from - other.begin()));
    }
    return;
  }
  if (likely_.size() < other.size()) likely_.resize(2 * other.size());
  std::size_t likely = 0;
  for (std::size_t y = 0; y < other.size(); ++y) {
    likely_[likely] = static_cast<std::uint32_t>(y);
    likely += static_cast<std::size_t>(place_of_[slot_of(other[y].item)] != no_place);
  }
  for (std::size_t at = 0; at < likely; ++at) {
    const std::size_t y = likely_[at];
    std::size_t x = place_of_[slot_of(other[y].item)];
    if (row_[x].item != other[y].item) {  // another item of the row may have taken the slot
      x = static_cast<std::size_t>(std::lower_bound(row_.begin(), row_.end(), other[y].item, before) -
                                   row_.begin());
      if (x == row_.size() || row_[x].item != other[y].item) continue;
    }
    record(x, y);
  }
}

void TriangleFan::open(Item item, Item next, Item later) {
  ask_for(next, later);
  row_ = upper_.row(item);
  size_ = 0;
  for (std::uint32_t place = 0; place < row_.size(); ++place) place_of_[slot_of(row_[place].item)] = place;
  for (std::uint32_t place = 0; place + 1 < row_.size(); ++place) match(place, upper_.row(row_[place].item));
  for (const auto& edge : row_) place_of_[slot_of(edge.item)] = no_place;
  if (size_ == 0) return;

  lengths_.resize(std::max(lengths_.size(), row_.size()));
  for (std::size_t c = 0; c < row_.size(); ++c) lengths_[c] = graph_.length(row_[c].dissimilarity);
  areas_.resize(std::max(areas_.size(), size_));
  compute_areas(lengths_.data(), second_.data(), third_.data(), opposite_.data(),
                graph_.info().metric == Metric::cosine, size_, areas_.data());
}

}  // namespace pith
