#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "graph/graph_stats.h"
#include "pith/error.h"
#include "pith/graph.h"
#include "support/brute_force_neighbors.h"
#include "support/random_rows.h"
#include "support/runs.h"

namespace pith {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::random_rows;
using testing::RowStyle;
using testing::with_threads;

Matrix matrix_of(std::size_t n, std::size_t dimension, RowStyle style, std::uint64_t seed = 1) {
  return Matrix::of_floats(random_rows(n, dimension, style, seed), n, dimension, "rows.npy");
}

/// Sixty clouds far apart: cells pay there.
Matrix clouds_of(std::size_t n) {
  auto values = random_rows(n, 32, RowStyle::gaussian, 4);
  for (std::size_t i = 60; i < n; ++i)
    for (std::size_t d = 0; d < 32; ++d)
      values[i * 32 + d] = values[i % 60 * 32 + d] + 0.2F * values[i * 32 + d];
  return Matrix::of_floats(std::move(values), n, 32, "clouds");
}

template <class Work>
std::string refusal(ErrorKind kind, Work work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "";
}

TEST(build_graph, is_the_union_or_the_intersection_of_the_lists) {
  const Matrix rows = matrix_of(130, 4, RowStyle::small_integers);
  const auto lists = testing::brute_force_neighbors(rows.view, Metric::cosine, 6);
  const auto lists_item = [&](Item i, Item j) {
    return std::count(lists.items.begin() + i * 6, lists.items.begin() + i * 6 + 6, j) == 1;
  };
  double either = 0;  // ordered pairs
  double mutual = 0;
  for (Item i = 0; i < 130; ++i)
    for (Item j = 0; j < 130; ++j) {
      either += lists_item(i, j) || lists_item(j, i) ? 1 : 0;
      mutual += lists_item(i, j) && lists_item(j, i) ? 1 : 0;
    }
  ASSERT_LT(mutual, either);
  for (const Symmetry symmetry : {Symmetry::either, Symmetry::mutual}) {
    const Graph graph = build_graph(rows, {.neighbors = 6, .symmetry = symmetry});
    for (Item i = 0; i < 130; ++i) {
      std::vector<Item> expected;
      for (Item j = 0; j < 130; ++j) {
        const bool there = lists_item(i, j);
        const bool back = lists_item(j, i);
        if (symmetry == Symmetry::either ? there || back : there && back) expected.push_back(j);
      }
      ASSERT_TRUE(std::ranges::equal(graph.neighbors(i), expected));
      for (std::size_t at = 0; at < expected.size(); ++at) {
        const auto other = graph.neighbors(expected[at]);
        const auto twin = static_cast<std::size_t>(std::find(other.begin(), other.end(), i) - other.begin());
        ASSERT_EQ(graph.dissimilarities(i)[at], graph.dissimilarities(expected[at])[twin]);
      }
    }
    EXPECT_EQ(graph_stats(graph).mutual_share, symmetry == Symmetry::either ? mutual / either : 1);
    EXPECT_EQ(graph.info().neighbors, 6U);
    EXPECT_EQ(graph.info().dimension, 4U);
    EXPECT_EQ(graph.info().recall, 1.0);
    EXPECT_EQ(graph.info().fingerprint, fingerprint_of(rows.view));
  }
}

TEST(build_graph, is_the_same_for_any_thread_count) {
  const Matrix rows = matrix_of(1500, 20, RowStyle::gaussian);
  const Graph one = build_graph(rows, {}, with_threads(1));
  for (const unsigned threads : {2U, 3U, 4U}) {
    const Graph graph = build_graph(rows, {}, with_threads(threads));
    EXPECT_TRUE(std::ranges::equal(graph.all_neighbors(), one.all_neighbors()));
    EXPECT_TRUE(std::ranges::equal(graph.all_dissimilarities(), one.all_dissimilarities()));
    EXPECT_EQ(graph.info().fingerprint, one.info().fingerprint);
  }
}

TEST(build_graph, counts_at_the_edges) {
  EXPECT_EQ(build_graph(matrix_of(1, 3, RowStyle::gaussian), {}).edge_count(), 0U);
  EXPECT_EQ(build_graph(matrix_of(1, 3, RowStyle::gaussian), {}).size(), 1U);
  EXPECT_EQ(build_graph(matrix_of(4, 3, RowStyle::gaussian), {}).edge_count(), 6U);
  EXPECT_THAT(
      refusal(ErrorKind::bad_option,
              [] { static_cast<void>(build_graph(matrix_of(4, 3, RowStyle::gaussian), {.neighbors = 4})); }),
      AllOf(HasSubstr("--neighbors: 4 given"), HasSubstr("3 other items")));
  EXPECT_NE(
      refusal(ErrorKind::bad_option,
              [] { static_cast<void>(build_graph(matrix_of(1, 3, RowStyle::gaussian), {.neighbors = 1})); }),
      "");
  EXPECT_NE(
      refusal(ErrorKind::bad_option,
              [] { static_cast<void>(build_graph(matrix_of(4, 3, RowStyle::gaussian), {.neighbors = 0})); }),
      "");
}

TEST(build_graph, refuses_what_is_not_finite) {
  auto values = random_rows(50, 3, RowStyle::gaussian, 1);
  values[17 * 3 + 1] = std::numeric_limits<float>::infinity();
  const Matrix rows = Matrix::of_floats(values, 50, 3, "rows.npy");
  EXPECT_THAT(refusal(ErrorKind::bad_input, [&] { static_cast<void>(build_graph(rows, {})); }),
              AllOf(HasSubstr("rows.npy"), HasSubstr("row 17")));
}

TEST(build_graph, constant_embeddings_have_neighbours_at_no_distance) {
  const Matrix rows = Matrix::of_floats(std::vector<float>(20000 * 16, 0.5F), 20000, 16, "rows.npy");
  const Graph graph = build_graph(rows, {});
  EXPECT_EQ(graph.size(), 20000U);
  EXPECT_EQ(graph.neighbors(19999).front(), 0U);
  EXPECT_EQ(graph.dissimilarities(19999).front(), 0.0F);
}

TEST(build_graph, stops_soon_when_cancelled) {
  const Matrix rows = clouds_of(60'000);
  for (const Knn knn : {Knn::exact, Knn::approximate}) {
    std::atomic<bool> cancelled{false};
    auto run = with_threads(2);
    run.cancelled = &cancelled;
    double furthest = 0;  // of 1
    run.progress = [&](std::string_view, double done, double total) {
      EXPECT_LE(done, total * 1.0001);
      furthest = std::max(furthest, done / total);
      cancelled = true;
    };
    EXPECT_NE(refusal(ErrorKind::interrupted,
                      [&] { static_cast<void>(build_graph(rows, {.knn = knn, .recall = 0.9}, run)); }),
              "");
    EXPECT_GT(furthest, 0);
    EXPECT_LT(furthest, 0.5);
  }
}

TEST(build_graph, says_what_it_built_and_why) {
  const Matrix rows = matrix_of(9000, 8, RowStyle::gaussian);
  const auto run = with_threads(2);
  const Graph chosen = build_graph(rows, {}, run);
  EXPECT_EQ(chosen.info().method, "exact");
  EXPECT_EQ(chosen.info().reason, "all pairs take less than a second on two cores");
  EXPECT_EQ(build_graph(rows, {.knn = Knn::exact}, run).info().reason, "as asked for");
  const Matrix clouds = clouds_of(60'000);
  const Graph cells = build_graph(clouds, {.knn = Knn::approximate, .recall = 0.9}, run);
  EXPECT_EQ(cells.info().method, "approximate");
  ASSERT_TRUE(cells.info().recall_interval.has_value());
  EXPECT_GE(cells.info().recall_interval->first, 0.88);
  EXPECT_LE(cells.info().recall_interval->first, *cells.info().recall);
  EXPECT_GE(measure_recall(cells, clouds, 100, 1, run), 0.9);
  const Graph perfect = build_graph(rows, {.knn = Knn::approximate, .recall = 1.0}, run);
  EXPECT_EQ(perfect.info().method, "exact");
  EXPECT_EQ(*perfect.info().recall, 1.0);
}

TEST(build_graph, is_the_same_within_any_memory_that_is_enough) {
  const Matrix rows = matrix_of(40000, 4, RowStyle::gaussian);
  const auto run = with_threads(1);
  const std::uint64_t least = std::uint64_t{64} << 20;
  const Graph tight = build_graph(rows, {.neighbors = 60, .memory_bytes = 72 << 20}, run);
  const Graph roomy = build_graph(rows, {.neighbors = 60}, run);
  EXPECT_TRUE(std::ranges::equal(tight.all_neighbors(), roomy.all_neighbors()));
  EXPECT_NE(
      refusal(ErrorKind::bad_option,
              [&] { static_cast<void>(build_graph(rows, {.neighbors = 90, .memory_bytes = least}, run)); })
          .find("--memory: 68 MB allowed, but 40000 items with 90 neighbours each take"),
      std::string::npos);
}

TEST(fingerprint, depends_on_every_element_and_not_on_the_layout) {
  const std::size_t n = 3000;
  const std::size_t dimension = 200;  // more than one piece
  auto values = random_rows(n, dimension, RowStyle::gaussian, 1);
  const auto plain = MatrixView::of_floats(values.data(), n, dimension);
  const std::string before = fingerprint_of(plain, with_threads(1));
  EXPECT_EQ(before.size(), 32U);
  EXPECT_EQ(fingerprint_of(plain, with_threads(4)), before);

  std::vector<float> columns(values.size());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t d = 0; d < dimension; ++d) columns[d * n + i] = values[i * dimension + d];
  MatrixView fortran = plain;
  fortran.data = reinterpret_cast<const std::byte*>(columns.data());
  fortran.row_stride_bytes = 4;
  fortran.col_stride_bytes = static_cast<std::ptrdiff_t>(4 * n);
  EXPECT_EQ(fingerprint_of(fortran), before);

  EXPECT_NE(fingerprint_of(MatrixView::of_floats(values.data(), n / 2, dimension * 2)), before);
  values.back() += 1;
  EXPECT_NE(fingerprint_of(plain), before);
}

TEST(require_same_embeddings, tells_graphs_of_other_embeddings) {
  const Matrix rows = matrix_of(60, 5, RowStyle::gaussian);
  const Graph graph = build_graph(rows, {});
  EXPECT_NO_THROW(require_same_embeddings(graph, rows, "g.pith"));
  const auto message = [&](const Matrix& other) {
    return refusal(ErrorKind::bad_input, [&] { require_same_embeddings(graph, other, "g.pith"); });
  };
  EXPECT_THAT(message(matrix_of(60, 5, RowStyle::gaussian, 2)),
              AllOf(HasSubstr("g.pith"), HasSubstr("fingerprint")));
  EXPECT_THAT(message(matrix_of(61, 5, RowStyle::gaussian)), HasSubstr("61 rows"));
  EXPECT_THAT(message(matrix_of(60, 6, RowStyle::gaussian)), HasSubstr("columns"));
}

TEST(graph_stats, of_a_small_graph) {
  // 0 - 1 - 2, 3 alone: what both ends list of two neighbours each.
  GraphInfo info;
  info.neighbors = 2;
  info.symmetry = Symmetry::mutual;
  info.metric = Metric::l2;
  const Graph graph = Graph::of_rows(info, {0, 1, 3, 4, 4}, {1, 0, 2, 1}, {1, 1, 3, 3});
  const GraphStats stats = graph_stats(graph);
  EXPECT_EQ(stats.edges, 2U);
  EXPECT_EQ(stats.mutual_share, 1.0);
  EXPECT_EQ(stats.min_degree, 0U);
  EXPECT_EQ(stats.max_degree, 2U);
  EXPECT_EQ(stats.mean_degree, 1.0);
  EXPECT_EQ(stats.isolated, 1U);
  EXPECT_EQ(stats.components, 2U);
  EXPECT_EQ(stats.dissimilarity_quantiles, (std::array<double, 5>{1, 1.5, 2, 2.5, 3}));
}

TEST(measure_recall, is_one_for_exact_graphs_and_less_for_others) {
  const Matrix rows = matrix_of(300, 8, RowStyle::gaussian);
  const Graph graph = build_graph(rows, {});
  EXPECT_EQ(measure_recall(graph, rows, 50, 1), 1.0);
  EXPECT_LT(measure_recall(build_graph(matrix_of(300, 8, RowStyle::gaussian, 9), {}), rows, 50, 1), 0.5);
}

}  // namespace
}  // namespace pith
