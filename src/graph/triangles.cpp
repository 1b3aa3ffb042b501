#include "graph/triangles.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

#include "base/parallel.h"
#include "graph/triangle_walk.h"
#include "pith/error.h"

namespace pith {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t chunk = 512;
constexpr std::size_t ahead = 6;  ///< items whose rows are fetched before their turn

/// Areas below `low` are thin, those from `high` on are not; what lies between waits for the threshold.
struct Bracket {
  double low;
  double high;

  /// Holds one value alone: then that is the quantile, or the quantile lies elsewhere.
  [[nodiscard]] bool is_a_point() const noexcept { return high == std::nextafter(low, infinity); }
};

struct Undecided {
  double area;
  std::array<Item, 3> corners;
};

/// Counts of an item in one word: all triangles in the low half, thin ones in the high half.
using Counts = std::vector<std::atomic<std::uint64_t>>;
constexpr std::uint64_t one_thin = std::uint64_t{1} << 32;

struct Walk {
  std::uint64_t count = 0;
  std::uint64_t below = 0;           ///< areas < bracket.low
  std::uint64_t within = 0;          ///< areas in the bracket
  std::vector<Undecided> undecided;  ///< those, but for a bracket that is a point
};

/// Areas of the triangles that the fan of `item` holds; `own` is where those that are not the fan's are put.
const double* areas_of(const TriangleFan& fan, Item item, const ExactAreas* exact, std::vector<double>& own) {
  if (exact == nullptr) return fan.areas();
  own.clear();
  for (std::size_t t = 0; t < fan.size(); ++t)
    own.push_back(exact->area(item, fan.corner(fan.second()[t]), fan.corner(fan.third()[t])));
  return own.data();
}

/// Counts every triangle at its three corners, decided ones as thin or not. O(sum of squared upper degrees).
Walk walk_triangles(const Graph& graph, const UpperRows& upper, const ExactAreas* exact, Bracket bracket,
                    Counts& counts, const Run& run) {
  struct Worker {
    explicit Worker(TriangleFan its_fan) : fan(std::move(its_fan)) {}
    TriangleFan fan;
    Walk walk;
    std::vector<std::uint64_t> at_corner;
    std::vector<double> own_areas;
  };
  std::vector<std::unique_ptr<Worker>> workers(run.thread_count());
  for (auto& worker : workers) worker = std::make_unique<Worker>(TriangleFan(graph, upper));
  const auto last = static_cast<Item>(graph.size() - 1);
  // Equal rows can close any number of triangles of the same area.
  const bool listed = !bracket.is_a_point();

  parallel_for(run, graph.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned at) {
    auto& [fan, walk, at_corner, own_areas] = *workers[at];
    for (std::size_t i = begin; i < end; ++i) {
      const auto item = static_cast<Item>(i);
      const auto next = static_cast<Item>(std::min<std::size_t>(i + ahead, last));
      for (const auto& edge : upper.row(next)) __builtin_prefetch(&counts[edge.item], 1);
      fan.open(item, next, static_cast<Item>(std::min<std::size_t>(i + 2 * ahead, last)));
      if (fan.size() == 0) continue;
      at_corner.assign(fan.corners(), 0);
      const double* areas = areas_of(fan, item, exact, own_areas);
      std::uint64_t at_item = 0;
      for (std::size_t t = 0; t < fan.size(); ++t) {
        const double area = areas[t];
        const std::uint64_t mark = 1 + (area < bracket.low ? one_thin : 0);
        at_item += mark;
        at_corner[fan.second()[t]] += mark;
        at_corner[fan.third()[t]] += mark;
        if (!(area >= bracket.low && area < bracket.high)) continue;
        ++walk.within;
        if (listed)
          walk.undecided.push_back({area, {item, fan.corner(fan.second()[t]), fan.corner(fan.third()[t])}});
      }
      walk.count += fan.size();
      walk.below += at_item >> 32;
      counts[item].fetch_add(at_item, std::memory_order_relaxed);
      for (std::uint32_t c = 0; c < fan.corners(); ++c)
        if (at_corner[c] != 0) counts[fan.corner(c)].fetch_add(at_corner[c], std::memory_order_relaxed);
    }
  });

  Walk all;
  for (auto& worker : workers) {
    all.count += worker->walk.count;
    all.below += worker->walk.below;
    all.within += worker->walk.within;
    all.undecided.insert(all.undecided.end(), worker->walk.undecided.begin(), worker->walk.undecided.end());
    worker.reset();
  }
  return all;
}

/// A narrow range of areas that very likely holds the quantile, from the triangles of every s-th item.
/// Everything where the graph is small enough to keep all its areas.
Bracket guess_bracket(const Graph& graph, const UpperRows& upper, const ExactAreas* exact, double quantile) {
  constexpr double sample_work = 1 << 19;
  auto step = static_cast<std::size_t>(upper.work / sample_work);
  if (step < 4) return {-infinity, infinity};
  // A few hubs can make most of the work; the sample must not shrink to nothing for them.
  step = std::min(step, std::max<std::size_t>(4, graph.size() / 1000));
  TriangleFan fan(graph, upper);
  std::vector<double> areas;
  std::vector<double> own_areas;
  std::size_t opened = 0;
  for (std::size_t i = step / 2; i < graph.size(); i += step, ++opened) {
    const auto following = [&](std::size_t steps) {
      return static_cast<Item>(std::min(i + steps * step, graph.size() - 1));
    };
    fan.open(static_cast<Item>(i), following(ahead), following(2 * ahead));
    const double* found = areas_of(fan, static_cast<Item>(i), exact, own_areas);
    areas.insert(areas.end(), found, found + fan.size());
  }
  if (opened < 100 || areas.size() < 1000) return {-infinity, infinity};
  // Triangles of one item resemble each other: only the items count as independent draws.
  const double slack = 4 * std::sqrt(quantile * (1 - quantile) / static_cast<double>(opened)) +
                       10 / static_cast<double>(opened);
  const auto statistic = [&](double share) {
    const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(areas.size() - 1));
    std::nth_element(areas.begin(), areas.begin() + place, areas.end());
    return areas[static_cast<std::size_t>(place)];
  };
  const double low = quantile - slack > 0 ? statistic(quantile - slack) : 0.0;  // no area is below
  const double high = quantile + slack < 1 ? statistic(quantile + slack) : infinity;
  return {low, std::nextafter(high, infinity)};
}

/// `undecided` holds the order statistics from `below` on.
double interpolate(std::vector<Undecided>& undecided, std::uint64_t below, const QuantilePlace& at) {
  const auto by_area = [](const Undecided& x, const Undecided& y) { return x.area < y.area; };
  const auto lower = undecided.begin() + static_cast<std::ptrdiff_t>(at.lower - below);
  std::nth_element(undecided.begin(), lower, undecided.end(), by_area);
  const double a = lower->area;
  const double b = at.upper == at.lower ? a : std::min_element(lower + 1, undecided.end(), by_area)->area;
  return at.between(a, b);
}

void clear(Counts& counts) {
  for (auto& count : counts) count.store(0, std::memory_order_relaxed);
}

}  // namespace

Triangles find_triangles(const Graph& graph, const AreaRule& rule, const Run& run) {
  Triangles triangles;
  triangles.at_item.resize(graph.size());
  triangles.thin_at_item.resize(graph.size());
  triangles.exact = rule.exact;
  if (graph.size() == 0) return triangles;
  const UpperRows upper(graph, run);
  Counts counts(graph.size());

  Bracket bracket = rule.threshold ? Bracket{*rule.threshold, *rule.threshold}
                                   : guess_bracket(graph, upper, rule.exact.get(), rule.quantile);
  Walk walk = walk_triangles(graph, upper, rule.exact.get(), bracket, counts, run);
  triangles.count = walk.count;
  triangles.thin_count = walk.below;
  if (rule.threshold) {
    triangles.area_threshold = *rule.threshold;
  } else if (walk.count != 0) {
    const QuantilePlace at(rule.quantile, walk.count);
    if (at.lower < walk.below || at.upper >= walk.below + walk.within) {
      clear(counts);
      bracket = {-infinity, infinity};
      walk = walk_triangles(graph, upper, rule.exact.get(), bracket, counts, run);
      triangles.thin_count = 0;
    }
    triangles.area_threshold =
        bracket.is_a_point() ? bracket.low : interpolate(walk.undecided, walk.below, at);
    for (const auto& [area, corners] : walk.undecided) {
      if (area >= triangles.area_threshold) continue;
      ++triangles.thin_count;
      for (const Item corner : corners) counts[corner].fetch_add(one_thin, std::memory_order_relaxed);
    }
  }
  std::uint64_t corners = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const std::uint64_t both = counts[i].load(std::memory_order_relaxed);
    triangles.at_item[i] = static_cast<std::uint32_t>(both);
    triangles.thin_at_item[i] = static_cast<std::uint32_t>(both >> 32);
    corners += triangles.at_item[i];
  }
  if (corners != 3 * triangles.count)
    throw Error(ErrorKind::unsupported,
                "an item is in more triangles than 32 bits count: ask for fewer neighbours");
  return triangles;
}

}  // namespace pith
