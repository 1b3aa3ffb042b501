#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "graph/exact_areas.h"
#include "pith/graph.h"

namespace pith {

/// Area of a triangle from its side lengths, in Kahan's order of Heron's formula: accurate for needles too.
/// Sides that break the triangle inequality (rounding) give 0.
[[nodiscard]] double triangle_area(double a, double b, double c) noexcept;

/// Places of the order statistics a quantile lies between, and how far from the lower.
struct QuantilePlace {
  std::uint64_t lower;
  std::uint64_t upper;
  double fraction;

  QuantilePlace(double share, std::uint64_t count) {
    const double position = share * static_cast<double>(count - 1);
    lower = static_cast<std::uint64_t>(position);
    upper = lower + 1 < count ? lower + 1 : count - 1;
    fraction = position - static_cast<double>(lower);
  }
  /// The quantile, given the two.
  [[nodiscard]] double between(double a, double b) const noexcept {
    return fraction < 0.5 ? a + (b - a) * fraction : b - (b - a) * (1 - fraction);
  }
};

struct AreaRule {
  std::optional<double> threshold;  ///< given outright, or
  double quantile = 0.25;           ///< by linear interpolation between the order statistics of all areas
  /// Areas from the embeddings; null: from the graph's side lengths.
  std::shared_ptr<const ExactAreas> exact = nullptr;
};

struct Triangles {
  std::uint64_t count = 0;
  double area_threshold = 0;  ///< thin means strictly below
  std::uint64_t thin_count = 0;
  std::vector<std::uint32_t> at_item;       ///< a(i): triangles at each item
  std::vector<std::uint32_t> thin_at_item;  ///< thin ones among them
  std::shared_ptr<const ExactAreas> exact;  ///< as in the rule
};

/// Every set of three items with all three edges, each once.
[[nodiscard]] Triangles find_triangles(const Graph& graph, const AreaRule& rule, const Run& run);

/// Calls visit(m, position in i's row, position in j's row) for every common neighbour m of i and j,
/// ascending.
template <class Visit>
void for_each_common_neighbor(const Graph& graph, Item i, Item j, Visit visit) {
  const auto a = graph.neighbors(i);
  const auto b = graph.neighbors(j);
  std::size_t x = 0;
  std::size_t y = 0;
  while (x < a.size() && y < b.size()) {
    if (a[x] < b[y]) {
      ++x;
    } else if (a[x] > b[y]) {
      ++y;
    } else {
      visit(a[x], x, y);
      ++x;
      ++y;
    }
  }
}

}  // namespace pith
