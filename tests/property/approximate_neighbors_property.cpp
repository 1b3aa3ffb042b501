#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "graph/approximate_neighbors.h"
#include "graph/kernels/tile_kernel.h"
#include "graph/neighbor_search.h"
#include "graph/query_sweep.h"
#include "support/brute_force_neighbors.h"
#include "support/random_rows.h"
#include "support/runs.h"

namespace pith {
namespace {

using testing::brute_force_neighbors;
using testing::random_rows;
using testing::RowStyle;
using testing::with_threads;

enum class Shape { mixture, gaussian, duplicates, extremes };

std::vector<float> make_rows(std::size_t n, std::size_t dimension, Shape shape) {
  if (shape == Shape::extremes) return random_rows(n, dimension, RowStyle::extremes, 5);
  std::mt19937_64 rng(3);
  std::normal_distribution<float> normal;
  std::vector<float> centres(40 * dimension);
  for (float& x : centres) x = normal(rng);
  std::vector<float> rows(n * dimension);
  for (std::size_t i = 0; i < n; ++i) {
    const float* centre = centres.data() + rng() % 40 * dimension;
    if (shape == Shape::duplicates && i > 100 && rng() % 10 != 0) {
      const std::size_t twin = rng() % (i / 20 + 1);
      std::copy_n(rows.data() + twin * dimension, dimension, rows.data() + i * dimension);
      continue;
    }
    for (std::size_t d = 0; d < dimension; ++d)
      rows[i * dimension + d] = (shape == Shape::mixture ? centre[d] : 0.0F) + 0.4F * normal(rng);
  }
  return rows;
}

/// Share of neighbours found, ties counted as found, of all items.
double true_recall(const NeighborLists& found, const NeighborLists& truth) {
  std::size_t good = 0;
  for (std::size_t i = 0; i < truth.n; ++i) {
    const float limit = truth.dissimilarities[i * truth.k + truth.k - 1];
    for (std::size_t at = i * truth.k; at < (i + 1) * truth.k; ++at)
      good += found.dissimilarities[at] <= limit ? 1 : 0;
  }
  return static_cast<double>(good) / static_cast<double>(truth.n * truth.k);
}

void expect_lists_of_others(const NeighborLists& lists) {
  for (Item i = 0; i < lists.n; ++i) {
    const auto begin = lists.items.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * lists.k);
    const std::set<Item> row(begin, begin + lists.k);
    ASSERT_EQ(row.size(), lists.k) << "row " << i;
    ASSERT_EQ(row.count(i), 0U) << "row " << i;
    ASSERT_LT(*row.rbegin(), lists.n);
  }
}

class ApproximateNeighborsOn : public ::testing::TestWithParam<std::tuple<Shape, Metric>> {};

TEST_P(ApproximateNeighborsOn, meet_the_recall_asked_for) {
  const auto [shape, metric] = GetParam();
  const std::size_t n = 6000;
  const std::size_t dimension = 24;
  const auto rows = make_rows(n, dimension, shape);
  const auto view = MatrixView::of_floats(rows.data(), n, dimension);
  const auto truth = exact_neighbors(view, metric, 10, with_threads(2));
  for (const double asked : {0.8, 0.95}) {
    ApproximateOptions options;
    options.recall = asked;
    options.cells = 30;
    options.places = 1;
    options.persist = true;
    const auto found = approximate_neighbors(view, metric, 10, options, with_threads(2));
    expect_lists_of_others(found.lists);
    const double recall = true_recall(found.lists, truth);
    EXPECT_GE(recall, asked) << found.places << " places";
    EXPECT_GE(recall, found.recall.low - 0.01);
    // Floats call more of the extreme distances equal than the doubles of the search do.
    if (shape != Shape::extremes) {
      EXPECT_LE(recall, found.recall.high + 0.01);
    }
    EXPECT_GE(found.recall.low, asked * 0.98);
    if (found.exact) {
      EXPECT_EQ(found.lists.items, truth.items);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ApproximateNeighborsOn,
                         ::testing::Combine(::testing::Values(Shape::mixture, Shape::gaussian,
                                                              Shape::duplicates, Shape::extremes),
                                            ::testing::Values(Metric::cosine, Metric::l2, Metric::l1)));

TEST(approximate_neighbors, are_the_same_in_any_number_of_rounds) {
  for (const Shape shape : {Shape::mixture, Shape::gaussian, Shape::duplicates}) {
    const std::vector<float> rows = make_rows(3000, 12, shape);
    const MatrixView view = MatrixView::of_floats(rows.data(), 3000, 12);
    const ApproximateOptions options{.recall = 0.97, .cells = 60, .persist = true};
    const ApproximateNeighbors once = approximate_neighbors(view, Metric::l2, 8, options, with_threads(2));
    const ApproximateNeighbors often =
        approximate_neighbors(view, Metric::l2, 8, options, with_threads(2), {.most_places = 1});
    EXPECT_GT(once.places, 1.0);
    EXPECT_DOUBLE_EQ(often.places, once.places);
    EXPECT_EQ(often.recall.recall, once.recall.recall);
    EXPECT_EQ(often.lists.items, once.lists.items);
    EXPECT_EQ(often.lists.dissimilarities, once.lists.dissimilarities);
  }
}

TEST(approximate_neighbors, are_the_same_for_any_number_of_threads) {
  const std::size_t n = 5000;
  for (const Shape shape : {Shape::mixture, Shape::extremes}) {
    const auto rows = make_rows(n, 17, shape);
    const auto view = MatrixView::of_floats(rows.data(), n, 17);
    ApproximateOptions options;
    options.recall = 0.5;
    options.cells = 40;
    options.places = 2;
    options.persist = true;
    const auto one = approximate_neighbors(view, Metric::cosine, 10, options, with_threads(1));
    ASSERT_FALSE(one.exact);
    for (const unsigned threads : {2U, 4U}) {
      const auto more = approximate_neighbors(view, Metric::cosine, 10, options, with_threads(threads));
      EXPECT_EQ(one.lists.items, more.lists.items);
      EXPECT_EQ(one.lists.dissimilarities, more.lists.dissimilarities);
      EXPECT_EQ(one.recall.recall, more.recall.recall);
    }
  }
}

TEST(approximate_neighbors, every_kernel_finds_the_same_within_the_same_cells) {
  const auto rows = make_rows(4000, 33, Shape::mixture);
  const auto view = MatrixView::of_floats(rows.data(), 4000, 33);
  ApproximateOptions options;
  options.recall = 0.5;
  options.cells = 20;
  options.persist = true;
  const auto expected =
      approximate_neighbors(view, Metric::l2, 10, options, with_threads(2), {.kernel = "blas"});
  ASSERT_FALSE(expected.exact);
  for (const std::string& kernel : kernel_names()) {
    const auto found = approximate_neighbors(view, Metric::l2, 10, options, with_threads(2),
                                             {.kernel = kernel, .cell_kernel = "blas"});
    EXPECT_EQ(found.lists.items, expected.lists.items) << kernel;
  }
}

/// With all rows in all cells nothing is missed: meeting within cells must give what meeting everybody gives.
TEST(approximate_neighbors, everybody_meeting_everybody_in_cells_is_exact) {
  for (const std::size_t n : {1500U, 2300U})
    for (const std::size_t dimension : {6U, 150U})
      for (const Shape shape : {Shape::mixture, Shape::duplicates, Shape::extremes})
        for (const Metric metric : {Metric::cosine, Metric::l2, Metric::l1}) {
          if (shape == Shape::extremes && n * dimension > 10'000) continue;  // slow: all are candidates
          SCOPED_TRACE(std::to_string(n) + " x " + std::to_string(dimension) + ", shape " +
                       std::to_string(static_cast<int>(shape)) + ", metric " +
                       std::to_string(static_cast<int>(metric)));
          const auto rows = make_rows(n, dimension, shape);
          const auto view = MatrixView::of_floats(rows.data(), n, dimension);
          const auto truth = exact_neighbors(view, metric, 10, with_threads(2));
          // One cell, and three that rows join place by place.
          for (const std::size_t cells : {1U, 3U}) {
            ApproximateOptions options;
            options.recall = 0;
            options.cells = cells;
            options.places = static_cast<double>(cells);
            options.persist = true;
            const auto found = approximate_neighbors(view, metric, 10, options, with_threads(2));
            ASSERT_FALSE(found.exact);
            ASSERT_EQ(found.lists.items, truth.items);
            ASSERT_EQ(found.lists.dissimilarities, truth.dissimilarities);
          }
        }
}

TEST(approximate_neighbors, a_recall_no_sample_can_show_ends_exact) {
  const std::size_t n = 1200;
  for (const std::size_t dimension : {7U, 140U}) {
    const auto rows = make_rows(n, dimension, Shape::gaussian);
    const auto view = MatrixView::of_floats(rows.data(), n, dimension);
    const auto truth = exact_neighbors(view, Metric::cosine, 10, with_threads(2));
    ApproximateOptions options;
    options.recall = 0.99999;
    options.cells = 4;
    options.persist = true;
    const auto found = approximate_neighbors(view, Metric::cosine, 10, options, with_threads(2));
    EXPECT_TRUE(found.exact);
    EXPECT_EQ(found.lists.items, truth.items);
  }
}

TEST(approximate_neighbors, half_a_place_adds_the_rows_near_borders) {
  const std::size_t n = 6000;
  const auto rows = make_rows(n, 12, Shape::gaussian);
  const auto view = MatrixView::of_floats(rows.data(), n, 12);
  const auto truth = exact_neighbors(view, Metric::cosine, 10, with_threads(2));
  const auto recall_with = [&](double places) {
    ApproximateOptions options;
    options.recall = 0;
    options.cells = 20;
    options.places = places;
    options.persist = true;
    const auto found = approximate_neighbors(view, Metric::cosine, 10, options, with_threads(2));
    EXPECT_NEAR(found.places, places, 0.1);
    return true_recall(found.lists, truth);
  };
  const double one = recall_with(1);
  const double half_more = recall_with(1.5);
  const double two = recall_with(2);
  EXPECT_GT(half_more, one);
  EXPECT_GT(two, half_more);
  // The half that is added is the better half.
  EXPECT_GT(half_more - one, two - half_more);
}

TEST(approximate_neighbors, cells_too_small_for_full_lists_are_filled_up) {
  const auto rows = make_rows(4000, 8, Shape::mixture);
  const auto view = MatrixView::of_floats(rows.data(), 4000, 8);
  ApproximateOptions options;
  options.recall = 0.01;
  options.cells = 700;  // under six members each, ten neighbours wanted
  options.places = 1;
  options.persist = true;
  const auto found = approximate_neighbors(view, Metric::cosine, 10, options, with_threads(2));
  ASSERT_FALSE(found.exact);
  expect_lists_of_others(found.lists);
}

TEST(approximate_neighbors, turn_exact_where_cells_cannot_pay) {
  for (const std::size_t n : {2U, 11U, 300U}) {
    const auto rows = make_rows(n, 5, Shape::gaussian);
    const auto view = MatrixView::of_floats(rows.data(), n, 5);
    const auto k = static_cast<std::uint32_t>(std::min<std::size_t>(10, n - 1));
    const auto found = approximate_neighbors(view, Metric::cosine, k, {.recall = 1.0}, with_threads(2));
    EXPECT_TRUE(found.exact);
    EXPECT_EQ(found.recall.low, 1);
    EXPECT_EQ(found.lists.items, brute_force_neighbors(view, Metric::cosine, k).items);
  }
}

TEST(approximate_neighbors, constant_rows_work) {
  const std::vector<float> rows(3000 * 4, 2.0F);
  const auto view = MatrixView::of_floats(rows.data(), 3000, 4);
  const auto found = approximate_neighbors(view, Metric::cosine, 10, {}, with_threads(2));
  const auto expected = brute_force_neighbors(view, Metric::cosine, 10);
  EXPECT_EQ(found.lists.items, expected.items);
  EXPECT_EQ(found.lists.dissimilarities, expected.dissimilarities);
}

TEST(exact_nearest_of, equals_brute_force) {
  for (const RowStyle style : {RowStyle::gaussian, RowStyle::small_integers, RowStyle::extremes})
    for (const Metric metric : {Metric::cosine, Metric::l2, Metric::l1}) {
      const auto rows = random_rows(900, 6, style, 9);
      const auto view = MatrixView::of_floats(rows.data(), 900, 6);
      NeighborSearch search(view, metric, 7, with_threads(2), {});
      std::vector<Item> queries;
      for (Item row = 0; row < search.rows(); row += 3) queries.push_back(row);
      const auto found = exact_nearest_of(search, queries, with_threads(3));
      // The distinct rows by themselves, without their twins.
      std::vector<float> distinct;
      for (const Item item : search.distinct().first)
        distinct.insert(distinct.end(), rows.begin() + item * 6, rows.begin() + item * 6 + 6);
      const auto k = search.wanted();
      const auto expected =
          brute_force_neighbors(MatrixView::of_floats(distinct.data(), search.rows(), 6), metric, k);
      for (std::size_t at = 0; at < queries.size(); ++at) {
        ASSERT_EQ(found[at].size(), k);
        for (std::size_t place = 0; place < k; ++place)
          ASSERT_EQ(found[at][place].row, expected.items[queries[at] * k + place]);
      }
    }
}

}  // namespace
}  // namespace pith
