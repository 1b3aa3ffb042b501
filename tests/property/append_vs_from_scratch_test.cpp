#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "graph/append_neighbors.h"
#include "graph/recover_lists.h"
#include "pith/graph.h"
#include "support/brute_force_neighbors.h"
#include "support/files.h"
#include "support/random_rows.h"
#include "support/runs.h"
#include "support/saved_graph.h"
#include "support/temp_dir.h"

namespace pith {
namespace {

using testing::random_rows;
using testing::RowStyle;
using testing::saved;
using testing::TempDir;
using testing::with_threads;

/// Rows first .. end-1, as a file of their own would give them.
Matrix part(const std::vector<float>& values, std::size_t dimension, std::size_t first, std::size_t end) {
  const auto at = [&](std::size_t row) {
    return values.begin() + static_cast<std::ptrdiff_t>(row * dimension);
  };
  return Matrix::of_floats({at(first), at(end)}, end - first, dimension, "rows");
}

RC_GTEST_PROP(append_graph, equals_the_graph_from_scratch, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 120);
  const auto dimension = *rc::gen::inRange<std::size_t>(1, 20);
  const auto metric = *rc::gen::element(Metric::cosine, Metric::l2, Metric::l1);
  const auto symmetry = *rc::gen::element(Symmetry::either, Symmetry::mutual);
  const auto style = *rc::gen::elementOf(testing::all_row_styles);
  const auto k =
      *rc::gen::inRange<std::uint32_t>(1, static_cast<std::uint32_t>(std::min<std::size_t>(n, 14)));
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto rounds = *rc::gen::inRange<std::size_t>(1, 4);
  const auto threads = *rc::gen::element(1U, 2U, 4U);
  // Half of the graphs go through a file on their way.
  const auto through_file = *rc::gen::arbitrary<bool>();
  std::vector<std::size_t> ends = {n};
  for (std::size_t round = 0; round < rounds; ++round)
    ends.push_back(ends.back() + *rc::gen::inRange<std::size_t>(1, 60));

  const TempDir place;
  const pith::Run run = with_threads(threads);
  const auto values = random_rows(ends.back(), dimension, style, seed);
  const GraphOptions options{.neighbors = k, .metric = metric, .symmetry = symmetry};
  Graph graph = build_graph(part(values, dimension, 0, n), options, run);
  for (std::size_t round = 0; round < rounds; ++round) {
    graph = append_graph(graph, part(values, dimension, 0, ends[round]),
                         part(values, dimension, ends[round], ends[round + 1]), run);
    const Matrix all = part(values, dimension, 0, ends[round + 1]);
    RC_ASSERT(saved(graph, place) == saved(build_graph(all, options), place));
    if (through_file) {
      save_graph(graph, place.path("g.pith"));
      graph = load_graph(place.path("g.pith"));
    }
  }
}

RC_GTEST_PROP(append_neighbors, equals_brute_force, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 120);
  const auto more = *rc::gen::inRange<std::size_t>(0, 120);
  const auto dimension = *rc::gen::inRange<std::size_t>(1, 40);
  const auto k = *rc::gen::inRange<std::uint32_t>(1, static_cast<std::uint32_t>(n));
  const auto metric = *rc::gen::element(Metric::cosine, Metric::l2, Metric::l1);
  const auto style = *rc::gen::elementOf(testing::all_row_styles);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto threads = *rc::gen::element(1U, 2U, 4U);
  const auto values = random_rows(n + more, dimension, style, seed);
  const auto all = MatrixView::of_floats(values.data(), n + more, dimension);
  const auto old =
      testing::brute_force_neighbors(MatrixView::of_floats(values.data(), n, dimension), metric, k);
  const auto found = append_neighbors(all, metric, old, with_threads(threads));
  const auto expected = testing::brute_force_neighbors(all, metric, k);
  RC_ASSERT(found.n == expected.n);
  RC_ASSERT(found.items == expected.items);
  RC_ASSERT(found.dissimilarities == expected.dissimilarities);
}

RC_GTEST_PROP(recover_lists, equals_the_lists_the_graph_was_made_of, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 150);
  const auto dimension = *rc::gen::inRange<std::size_t>(1, 20);
  const auto k = *rc::gen::inRange<std::uint32_t>(1, static_cast<std::uint32_t>(n));
  const auto metric = *rc::gen::element(Metric::cosine, Metric::l2, Metric::l1);
  const auto symmetry = *rc::gen::element(Symmetry::either, Symmetry::mutual);
  const auto style = *rc::gen::elementOf(testing::all_row_styles);
  const auto values = random_rows(n, dimension, style, *rc::gen::arbitrary<std::uint64_t>());
  const Matrix rows = part(values, dimension, 0, n);
  const Graph graph = build_graph(rows, {.neighbors = k, .metric = metric, .symmetry = symmetry});
  const auto found = recover_lists(graph, rows.view, "g.pith", with_threads(2));
  const auto expected = testing::brute_force_neighbors(rows.view, metric, k);
  RC_ASSERT(found.n == expected.n && found.k == expected.k);
  RC_ASSERT(found.items == expected.items);
  RC_ASSERT(found.dissimilarities == expected.dissimilarities);
}

/// Where the old set was too small for ten neighbours, what it had stays.
TEST(append_vs_from_scratch, tiny_graphs_keep_their_count) {
  const TempDir place;
  const auto values = random_rows(40, 3, RowStyle::small_integers, 1);
  const Matrix all = part(values, 3, 0, 40);
  for (const Symmetry symmetry : {Symmetry::either, Symmetry::mutual})
    for (const std::size_t n : {2U, 5U, 10U, 11U}) {
      const Matrix old = part(values, 3, 0, n);
      const Graph graph = append_graph(build_graph(old, {.neighbors = {}, .symmetry = symmetry}), old,
                                       part(values, 3, n, 40));
      EXPECT_EQ(graph.info().neighbors, std::min<std::size_t>(10, n - 1));
      EXPECT_EQ(saved(graph, place),
                saved(build_graph(all, {.neighbors = graph.info().neighbors, .symmetry = symmetry}), place));
    }
}

TEST(append_vs_from_scratch, other_scalar_types) {
  const TempDir place;
  const auto floats = random_rows(90, 5, RowStyle::gaussian, 3);
  std::vector<std::uint16_t> halves;
  for (const float x : floats)
    halves.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16));
  const auto view = [&](std::size_t first, std::size_t end) {
    return Matrix{.view = {.data = reinterpret_cast<const std::byte*>(halves.data() + first * 5),
                           .rows = end - first,
                           .cols = 5,
                           .row_stride_bytes = 10,
                           .col_stride_bytes = 2,
                           .scalar = Scalar::bf16,
                           .byte_swapped = false},
                  .owner = {},
                  .source = "rows"};
  };
  const std::vector<double> doubles(floats.begin(), floats.end());
  const auto double_rows = [&](std::size_t first, std::size_t end) {
    const auto at = [&](std::size_t row) { return doubles.begin() + static_cast<std::ptrdiff_t>(row * 5); };
    return testing::matrix_of_doubles({at(first), at(end)}, end - first, 5, "rows");
  };
  for (const Metric metric : {Metric::cosine, Metric::l2, Metric::l1})
    for (const Symmetry symmetry : {Symmetry::either, Symmetry::mutual}) {
      const GraphOptions options{.neighbors = 7, .metric = metric, .symmetry = symmetry};
      EXPECT_EQ(saved(append_graph(build_graph(view(0, 70), options), view(0, 70), view(70, 90)), place),
                saved(build_graph(view(0, 90), options), place));
      EXPECT_EQ(saved(append_graph(build_graph(double_rows(0, 70), options), double_rows(0, 70),
                                   double_rows(70, 90)),
                      place),
                saved(build_graph(double_rows(0, 90), options), place));
    }
}

}  // namespace
}  // namespace pith
