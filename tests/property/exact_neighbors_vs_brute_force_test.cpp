#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "graph/exact_neighbors.h"
#include "graph/kernels/tile_kernel.h"
#include "support/brute_force_neighbors.h"
#include "support/random_rows.h"
#include "support/runs.h"

namespace pith {
namespace {

using testing::all_row_styles;
using testing::brute_force_neighbors;
using testing::random_rows;
using testing::RowStyle;
using testing::with_threads;

constexpr Metric metrics[] = {Metric::cosine, Metric::l2, Metric::l1};

/// Every kernel this machine has, and the tiles of those it may lack.
std::vector<std::string> all_kernels() {
  std::vector<std::string> names = kernel_names();
  names.emplace_back("amx-emulated");
  return names;
}

void expect_equal(const NeighborLists& found, const NeighborLists& expected) {
  ASSERT_EQ(found.n, expected.n);
  ASSERT_EQ(found.k, expected.k);
  ASSERT_EQ(found.items, expected.items);
  ASSERT_EQ(found.dissimilarities, expected.dissimilarities);
}

RC_GTEST_PROP(exact_neighbors, equals_brute_force, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 180);
  const auto dimension = *rc::gen::inRange<std::size_t>(1, 71);
  const auto k = *rc::gen::inRange<std::uint32_t>(1, static_cast<std::uint32_t>(n));
  const auto metric = *rc::gen::elementOf(std::vector<Metric>(std::begin(metrics), std::end(metrics)));
  const auto style = *rc::gen::elementOf(all_row_styles);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto threads = *rc::gen::element(1U, 2U, 4U);
  const NeighborTuning tuning{.block_rows = *rc::gen::inRange<std::size_t>(0, 40),
                              .slots = *rc::gen::inRange<std::size_t>(0, 50),
                              .kernel = *rc::gen::elementOf(all_kernels())};
  const auto rows = random_rows(n, dimension, style, seed);
  const auto view = MatrixView::of_floats(rows.data(), n, dimension);
  const auto found = exact_neighbors(view, metric, k, with_threads(threads), tuning);
  const auto expected = brute_force_neighbors(view, metric, k);
  RC_ASSERT(found.items == expected.items);
  RC_ASSERT(found.dissimilarities == expected.dissimilarities);
}

TEST(exact_neighbors_vs_brute_force, larger_shapes) {
  struct Shape {
    std::size_t n, dimension;
    std::uint32_t k;
  };
  for (const Shape shape :
       {Shape{700, 3, 10}, {643, 17, 5}, {211, 512, 10}, {97, 2048, 7}, {301, 1, 300}, {41, 4096, 3}})
    for (const Metric metric : metrics)
      for (const RowStyle style : all_row_styles) {
        const auto rows = random_rows(shape.n, shape.dimension, style, 7);
        const auto view = MatrixView::of_floats(rows.data(), shape.n, shape.dimension);
        const auto expected = brute_force_neighbors(view, metric, shape.k);
        for (const unsigned threads : {1U, 2U, 4U})
          expect_equal(exact_neighbors(view, metric, shape.k, with_threads(threads)), expected);
        for (const std::string& kernel : all_kernels()) {
          SCOPED_TRACE(kernel);
          NeighborTuning tuning;
          tuning.kernel = kernel;
          expect_equal(exact_neighbors(view, metric, shape.k, with_threads(2), tuning), expected);
        }
      }
}

TEST(exact_neighbors_vs_brute_force, other_scalar_types_and_layouts) {
  const std::size_t n = 150;
  const std::size_t dimension = 9;
  const auto rows = random_rows(n, dimension, RowStyle::small_integers, 3);
  std::vector<double> doubles(rows.begin(), rows.end());
  for (double& x : doubles) x += 1e-12;
  std::vector<float> fortran(rows.size());
  std::vector<std::uint16_t> halves(rows.size());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t d = 0; d < dimension; ++d) {
      const float x = rows[i * dimension + d];
      fortran[d * n + i] = x;
      halves[i * dimension + d] = x == 0 ? 0 : x > 0 ? 0x3c00 : 0xbc00;
    }
  const auto bytes = [](const auto& v) { return reinterpret_cast<const std::byte*>(v.data()); };
  const auto stride = [](std::size_t s) { return static_cast<std::ptrdiff_t>(s); };
  const MatrixView views[] = {
      {bytes(doubles), n, dimension, stride(8 * dimension), 8, Scalar::f64, false},
      {bytes(fortran), n, dimension, 4, stride(4 * n), Scalar::f32, false},
      {bytes(halves), n, dimension, stride(2 * dimension), 2, Scalar::f16, false},
  };
  for (const auto& view : views)
    for (const Metric metric : metrics)
      expect_equal(exact_neighbors(view, metric, 10, with_threads(0)),
                   brute_force_neighbors(view, metric, 10));
}

}  // namespace
}  // namespace pith
