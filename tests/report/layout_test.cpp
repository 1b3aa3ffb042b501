#include "report/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "support/runs.h"

namespace pith {
namespace {

using testing::with_threads;

struct Blobs {
  std::vector<float> rows;
  std::size_t dimension;
  Matrix matrix;
  Graph graph;

  Blobs(std::size_t items, std::size_t blobs, std::size_t its_dimension, std::uint64_t seed)
      : dimension(its_dimension) {
    Rng rng(seed);
    std::vector<double> centres;
    for (std::size_t at = 0; at < blobs * dimension; ++at) centres.push_back(4 * rng.normal());
    for (std::size_t item = 0; item < items; ++item)
      for (std::size_t d = 0; d < dimension; ++d)
        rows.push_back(static_cast<float>(centres[item % blobs * dimension + d] + rng.normal()));
    matrix = Matrix::of_floats(rows, items, dimension, "blobs");
    GraphOptions options;
    options.metric = Metric::l2;
    graph = build_graph(matrix, options);
  }
  [[nodiscard]] std::vector<Point> pca() const {
    std::vector<Item> items(matrix.rows());
    for (Item item = 0; item < items.size(); ++item) items[item] = item;
    return find_pca(matrix.view, items, false, {}).points;
  }
};

double distance(const Point& a, const Point& b) {
  return std::hypot(static_cast<double>(a.x) - static_cast<double>(b.x),
                    static_cast<double>(a.y) - static_cast<double>(b.y));
}

/// Share of each item's neighbours on the map, as many as the graph lists, that are neighbours in the graph.
double kept_neighbors(const Graph& graph, const std::vector<Point>& places) {
  double kept = 0;
  double all = 0;
  for (Item item = 0; item < graph.size(); ++item) {
    std::vector<std::pair<double, Item>> others;
    for (Item other = 0; other < graph.size(); ++other)
      if (other != item) others.emplace_back(distance(places[item], places[other]), other);
    std::partial_sort(others.begin(), others.begin() + 10, others.end());
    const auto row = graph.neighbors(item);
    for (std::size_t at = 0; at < 10; ++at)
      kept += std::binary_search(row.begin(), row.end(), others[at].second) ? 1 : 0;
    all += 10;
  }
  return kept / all;
}

TEST(Layout, pulls_are_the_same_from_both_ends) {
  const Blobs blobs(200, 4, 6, 1);
  const std::vector<float> weights = pull_weights(blobs.graph, with_threads(2));
  for (Item item = 0; item < 200; ++item) {
    const auto row = blobs.graph.neighbors(item);
    float strongest = 0;
    for (std::size_t at = 0; at < row.size(); ++at) {
      const float weight = weights[blobs.graph.offsets()[item] + at];
      EXPECT_GE(weight, 0);
      EXPECT_LE(weight, 1.0001F);
      strongest = std::max(strongest, weight);
      const auto back = blobs.graph.neighbors(row[at]);
      const auto place = std::lower_bound(back.begin(), back.end(), item) - back.begin();
      EXPECT_EQ(weight, weights[blobs.graph.offsets()[row[at]] + static_cast<std::size_t>(place)]);
    }
    EXPECT_NEAR(strongest, 1, 1e-5) << "the nearest neighbour pulls fully";
  }
}

TEST(Layout, is_the_same_for_any_number_of_threads_and_depends_on_the_seed) {
  const Blobs blobs(1500, 5, 8, 2);
  const std::vector<Point> start = blobs.pca();
  const auto layout = [&](unsigned threads, std::uint64_t seed) {
    return find_layout(blobs.graph, start, {.seed = seed, .epochs = 20}, with_threads(threads));
  };
  const std::vector<Point> first = layout(1, 7);
  EXPECT_EQ(layout(2, 7), first);
  EXPECT_EQ(layout(5, 7), first);
  EXPECT_NE(layout(2, 8), first);
}

/// The definition, one item after the other, in double.
TEST(Layout, follows_its_definition) {
  const Blobs blobs(40, 2, 3, 3);
  const std::vector<Point> start = blobs.pca();
  constexpr std::uint32_t epochs = 4;
  constexpr std::uint32_t strangers = 3;
  const std::vector<Point> fast =
      find_layout(blobs.graph, start, {.seed = 5, .epochs = epochs, .strangers = strangers}, {});
  const std::vector<float> weights = pull_weights(blobs.graph, {});
  float left = start[0].x;
  float right = start[0].x;
  float low = start[0].y;
  float high = start[0].y;
  for (const Point& p : start) {
    left = std::min(left, p.x);
    right = std::max(right, p.x);
    low = std::min(low, p.y);
    high = std::max(high, p.y);
  }
  const double longer = std::max(right - left, high - low);
  std::vector<std::pair<double, double>> now;
  for (std::uint64_t item = 0; item < 40; ++item)
    now.emplace_back(
        10 * ((start[item].x - left) / longer + 1e-3 * (random_unit(5 ^ 0x6a, 2 * item) - 0.5)),
        10 * ((start[item].y - low) / longer + 1e-3 * (random_unit(5 ^ 0x6a, 2 * item + 1) - 0.5)));
  for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
    auto next = now;
    for (Item item = 0; item < 40; ++item) {
      double pull_x = 0, pull_y = 0, push_x = 0, push_y = 0, total = 0;
      for (std::size_t at = 0; at < blobs.graph.neighbors(item).size(); ++at) {
        const auto [x, y] = now[blobs.graph.neighbors(item)[at]];
        const double weight = weights[blobs.graph.offsets()[item] + at];
        const double square = std::pow(x - now[item].first, 2) + std::pow(y - now[item].second, 2);
        total += weight;
        pull_x += weight * 3.2 / (1 + 1.6 * square) * (x - now[item].first);
        pull_y += weight * 3.2 / (1 + 1.6 * square) * (y - now[item].second);
      }
      for (std::uint64_t draw = 0; draw < strangers; ++draw) {
        const std::uint64_t bits = random_bits(5 + epoch, std::uint64_t{item} * strangers + draw);
        const std::size_t other = (bits >> 32) * 40 >> 32;
        if (other == item) continue;
        const double dx = now[item].first - now[other].first;
        const double dy = now[item].second - now[other].second;
        const double square = dx * dx + dy * dy;
        const double force = 2 / ((0.001 + square) * (1 + 1.6 * square));
        push_x += std::clamp(force * dx, -4.0, 4.0);
        push_y += std::clamp(force * dy, -4.0, 4.0);
      }
      const double rate = 1 - static_cast<double>(epoch) / epochs;
      next[item].first += rate * (pull_x / total + push_x * 2.5 / strangers);
      next[item].second += rate * (pull_y / total + push_y * 2.5 / strangers);
    }
    now = next;
  }
  for (std::size_t item = 0; item < 40; ++item) {
    EXPECT_NEAR(fast[item].x, now[item].first, 2e-3);
    EXPECT_NEAR(fast[item].y, now[item].second, 2e-3);
  }
}

TEST(Layout, keeps_more_neighbours_than_pca_and_groups_together) {
  const Blobs blobs(800, 8, 10, 4);
  const std::vector<Point> start = blobs.pca();
  const std::vector<Point> places = find_layout(blobs.graph, start, {.epochs = 200}, {});
  EXPECT_GT(kept_neighbors(blobs.graph, places), 1.5 * kept_neighbors(blobs.graph, start));
  double inside = 0;
  double between = 0;
  for (std::size_t at = 0; at < 792; ++at) {
    inside += distance(places[at], places[at + 8]);
    between += distance(places[at], places[at + 3]);
  }
  EXPECT_LT(inside, 0.5 * between);
  for (const Point& place : places) EXPECT_TRUE(std::isfinite(place.x) && std::isfinite(place.y));
}

TEST(Layout, of_next_to_nothing) {
  EXPECT_TRUE(find_layout({}, {}, {}, {}).empty());
  const Graph alone = Graph::of_rows({}, {0, 0, 0}, {}, {});
  for (const Point& place : find_layout(alone, {}, {.epochs = 10}, {}))
    EXPECT_TRUE(std::isfinite(place.x) && std::isfinite(place.y));
  // Everybody at one place, at distance 0 from each other.
  GraphInfo info;
  info.neighbors = 1;
  const Graph same = Graph::of_rows(info, {0, 1, 2}, {1, 0}, {0.0F, 0.0F});
  const std::vector<Point> start(2);
  for (const Point& place : find_layout(same, start, {.epochs = 10}, {}))
    EXPECT_TRUE(std::isfinite(place.x) && std::isfinite(place.y));
}

}  // namespace
}  // namespace pith
