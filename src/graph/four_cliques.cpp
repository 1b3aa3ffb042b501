#include "graph/four_cliques.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <span>

#include "base/parallel.h"
#include "graph/triangles.h"

namespace pith {
namespace {

/// Length of the edge from a to b, or nothing.
bool find_length(const Graph& graph, Item a, Item b, double& length) {
  const auto row = graph.neighbors(a);
  const auto found = std::lower_bound(row.begin(), row.end(), b);
  if (found == row.end() || *found != b) return false;
  length = graph.length(graph.dissimilarities(a)[static_cast<std::size_t>(found - row.begin())]);
  return true;
}

/// A neighbour of both ends of the edge {a, b}.
struct Common {
  Item item;
  double from_a;
  double from_b;
};

/// Which of `others`, ascending, are neighbours of `c`: visit(other, length of the edge), ascending. Looks up
/// the shorter list in the longer: hubs have a great part of all items beside them.
template <class Visit>
void for_each_neighbor_among(const Graph& graph, Item c, std::span<const Common> others, Visit visit) {
  const auto row = graph.neighbors(c);
  if (others.size() < row.size()) {
    double length = 0;
    for (const Common& other : others)
      if (find_length(graph, c, other.item, length)) visit(other, length);
    return;
  }
  for (std::size_t at = 0; at < row.size(); ++at) {
    const auto found = std::lower_bound(others.begin(), others.end(), row[at],
                                        [](const Common& other, Item item) { return other.item < item; });
    if (found != others.end() && found->item == row[at])
      visit(*found, graph.length(graph.dissimilarities(c)[at]));
  }
}

/// The cliques whose lowest item is `a`: visit(b, c, d, volume), a < b < c < d.
template <class Visit>
void for_each_clique_above(const Graph& graph, Item a, Visit visit) {
  std::vector<Common> common;
  const auto row = graph.neighbors(a);
  for (std::size_t at = 0; at < row.size(); ++at) {
    const Item b = row[at];
    if (b < a) continue;
    common.clear();
    for_each_common_neighbor(graph, a, b, [&](Item m, std::size_t x, std::size_t y) {
      if (m > b)
        common.push_back(
            {m, graph.length(graph.dissimilarities(a)[x]), graph.length(graph.dissimilarities(b)[y])});
    });
    const double ab = graph.length(graph.dissimilarities(a)[at]);
    for (std::size_t at_c = 0; at_c < common.size(); ++at_c) {
      const Common& c = common[at_c];
      for_each_neighbor_among(graph, c.item, std::span<const Common>(common).subspan(at_c + 1),
                              [&](const Common& d, double cd) {
                                visit(b, c.item, d.item,
                                      tetrahedron_volume({.s01 = ab,
                                                          .s02 = c.from_a,
                                                          .s03 = d.from_a,
                                                          .s12 = c.from_b,
                                                          .s13 = d.from_b,
                                                          .s23 = cd}));
                              });
    }
  }
}

/// Bins of about 6% width: doubles that are not negative ascend as their bits do. Bin 0 is volume 0 alone,
/// and what is too small to matter.
constexpr std::size_t bins = 1 << 15;
std::size_t bin_of(double volume) {
  return std::bit_cast<std::uint64_t>(volume) >> 48;
}

std::vector<std::uint64_t> count_volumes(const Graph& graph, const Run& run) {
  std::vector<std::vector<std::uint64_t>> counts(run.thread_count(), std::vector<std::uint64_t>(bins, 0));
  parallel_for(run, graph.size(), 256, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t a = begin; a < end; ++a)
      for_each_clique_above(graph, static_cast<Item>(a),
                            [&](Item, Item, Item, double volume) { ++counts[worker][bin_of(volume)]; });
  });
  for (std::size_t worker = 1; worker < counts.size(); ++worker)
    for (std::size_t bin = 0; bin < bins; ++bin) counts[0][bin] += counts[worker][bin];
  return counts[0];
}

/// Volumes of some bins, ascending; those of bin 0 count as 0 and are not listed.
std::vector<double> volumes_between(const Graph& graph, std::size_t low, std::size_t high, const Run& run) {
  std::vector<std::vector<double>> found(run.thread_count());
  parallel_for(run, graph.size(), 256, [&](std::size_t begin, std::size_t end, unsigned worker) {
    for (std::size_t a = begin; a < end; ++a)
      for_each_clique_above(graph, static_cast<Item>(a), [&](Item, Item, Item, double volume) {
        const std::size_t bin = bin_of(volume);
        if (bin != 0 && bin >= low && bin <= high) found[worker].push_back(volume);
      });
  });
  std::vector<double> all;
  for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  return all;
}

double quantile_of_volumes(const Graph& graph, const std::vector<std::uint64_t>& counts, std::uint64_t total,
                           double quantile, const Run& run) {
  const QuantilePlace at(quantile, total);
  std::size_t low = 0;
  std::uint64_t below = 0;  // volumes in bins before `low`
  while (below + counts[low] <= at.lower) below += counts[low++];
  std::size_t high = low;
  for (std::uint64_t reached = below + counts[high]; reached <= at.upper;) reached += counts[++high];
  const std::vector<double> near = volumes_between(graph, low, high, run);
  const std::uint64_t zeros = low == 0 ? counts[0] : 0;
  const auto statistic = [&](std::uint64_t place) {
    return place - below < zeros ? 0.0 : near[place - below - zeros];
  };
  return at.between(statistic(at.lower), statistic(at.upper));
}

}  // namespace

double tetrahedron_volume(const TetrahedronSides& s) noexcept {
  const double g11 = s.s01 * s.s01;
  const double g22 = s.s02 * s.s02;
  const double g33 = s.s03 * s.s03;
  const double g12 = (g11 + g22 - s.s12 * s.s12) / 2;
  const double g13 = (g11 + g33 - s.s13 * s.s13) / 2;
  const double g23 = (g22 + g33 - s.s23 * s.s23) / 2;
  if (g11 <= 0) return 0;
  const double second = g22 - g12 / g11 * g12;
  if (second <= 0) return 0;
  const double cross = g23 - g13 / g11 * g12;
  const double third = g33 - g13 / g11 * g13 - cross / second * cross;
  if (third <= 0) return 0;
  return std::sqrt(g11 * second * third) / 6;
}

TetrahedronSides sides_of(const Graph& graph, Item a, Item b, Item c, Item d) {
  std::array<Item, 4> corner = {a, b, c, d};
  std::sort(corner.begin(), corner.end());
  TetrahedronSides sides;
  static_cast<void>(find_length(graph, corner[0], corner[1], sides.s01));
  static_cast<void>(find_length(graph, corner[0], corner[2], sides.s02));
  static_cast<void>(find_length(graph, corner[0], corner[3], sides.s03));
  static_cast<void>(find_length(graph, corner[1], corner[2], sides.s12));
  static_cast<void>(find_length(graph, corner[1], corner[3], sides.s13));
  static_cast<void>(find_length(graph, corner[2], corner[3], sides.s23));
  return sides;
}

FourCliques find_four_cliques(const Graph& graph, double quantile, const Run& run) {
  FourCliques cliques;
  cliques.at_item.assign(graph.size(), 0);
  cliques.thin_at_item.assign(graph.size(), 0);
  const std::vector<std::uint64_t> counts = count_volumes(graph, run);
  for (const std::uint64_t count : counts) cliques.count += count;
  if (cliques.count == 0) return cliques;
  cliques.volume_threshold = quantile_of_volumes(graph, counts, cliques.count, quantile, run);

  const auto bump = [](std::uint64_t& place) {
    std::atomic_ref<std::uint64_t>(place).fetch_add(1, std::memory_order_relaxed);
  };
  std::atomic<std::uint64_t> thin = 0;
  parallel_for(run, graph.size(), 256, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    for (std::size_t a = begin; a < end; ++a)
      for_each_clique_above(graph, static_cast<Item>(a), [&](Item b, Item c, Item d, double volume) {
        const bool is_thin = volume < cliques.volume_threshold;
        if (is_thin) thin.fetch_add(1, std::memory_order_relaxed);
        for (const Item corner : {static_cast<Item>(a), b, c, d}) {
          bump(cliques.at_item[corner]);
          if (is_thin) bump(cliques.thin_at_item[corner]);
        }
      });
  });
  cliques.thin_count = thin;
  return cliques;
}

}  // namespace pith
