#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <set>

#include "graph/blas.h"
#include "graph/kernels/l1_sums.h"
#include "graph/kernels/tile_kernel.h"
#include "graph/metric.h"
#include "graph/rows.h"
#include "graph/score_filter.h"
#include "pith/error.h"
#include "support/random_rows.h"

namespace pith {
namespace {

using testing::all_row_styles;
using testing::random_rows;
using testing::RowStyle;

std::vector<const TileKernel*> kernels_for(Metric metric) {
  if (metric == Metric::l1) return {&l1_kernel()};
  std::vector<const TileKernel*> kernels = {&find_kernel("amx-emulated")};
  for (const std::string& name : kernel_names()) kernels.push_back(&find_kernel(name));
  return kernels;
}

/// A filter over random rows and one tile of it.
struct Tile {
  Tile(std::size_t left_count, std::size_t right_count, std::size_t dimension, Metric its_metric,
       RowStyle style, const TileKernel& its_kernel)
      : metric(its_metric),
        kernel(its_kernel),
        count{left_count, right_count},
        rows(random_rows(left_count + right_count, dimension, style, 11 * left_count + dimension)),
        view(MatrixView::of_floats(rows.data(), left_count + right_count, dimension)),
        facts(survey_rows(view, {})),
        items(left_count + right_count) {
    std::iota(items.begin(), items.end(), Item{0});
    filter = std::make_unique<ScoreFilter>(view, metric, facts, items, kernel, pith::Run{});
    std::vector<float> scratch;
    filter->pack_left(0, left_count, scratch, left);
    filter->pack_right(left_count, right_count, scratch, right);
  }
  std::vector<TileHit> hits(const std::vector<float>& left_bars, const std::vector<float>& right_bars) const {
    TileSide left_side;
    TileSide right_side;
    left_side.assign(filter->offsets(), left_bars.data(), count[0]);
    right_side.assign(filter->offsets() + count[0], right_bars.data(), count[1]);
    std::vector<TileHit> found;
    KernelScratch scratch;
    kernel.find_hits(left, right, left_side, right_side, found, scratch);
    return found;
  }
  std::vector<TileHit> all_hits() const {
    constexpr float low = -std::numeric_limits<float>::infinity();
    return hits(std::vector<float>(count[0], low), std::vector<float>(count[1], low));
  }
  /// The canonical dissimilarity of a hit's pair.
  double dissimilarity_of(const TileHit& hit) const {
    const auto i = hit.row;
    const auto j = static_cast<Item>(count[0] + hit.column);
    return dissimilarity(metric, rows.data() + i * view.cols, rows.data() + j * view.cols, view.cols,
                         facts.squared_norms[i], facts.squared_norms[j]);
  }

  SingleThreadedBlas single_threaded_blas;  // as the kernels ask of their callers
  Metric metric;
  const TileKernel& kernel;
  std::size_t count[2];
  std::vector<float> rows;
  MatrixView view;
  RowFacts facts;
  std::vector<Item> items;
  std::unique_ptr<ScoreFilter> filter;
  PackedPanel left;
  PackedPanel right;
};

constexpr std::size_t dimensions[] = {1, 2, 3, 15, 16, 31, 33, 64, 130, 1030};

template <class Body>
void for_all_tiles(std::size_t left, std::size_t right, Body body) {
  for (const Metric metric : {Metric::cosine, Metric::l2, Metric::l1})
    for (const TileKernel* kernel : kernels_for(metric))
      for (const std::size_t dimension : dimensions)
        for (const RowStyle style : all_row_styles) {
          SCOPED_TRACE(std::string(kernel->name()) + ", dimension " + std::to_string(dimension) + ", style " +
                       std::to_string(static_cast<int>(style)) + ", metric " +
                       std::to_string(static_cast<int>(metric)));
          body(Tile(left, right, dimension, metric, style, *kernel));
          if (::testing::Test::HasFailure()) return;
        }
}

TEST(tile_kernels, value_and_lower_bound_enclose_the_true_score) {
  for_all_tiles(37, 45, [](const Tile& tile) {
    const auto hits = tile.all_hits();
    ASSERT_EQ(hits.size(), 37U * 45U);
    for (const TileHit& hit : hits) {
      const float floor = tile.filter->score_floor(tile.dissimilarity_of(hit));
      ASSERT_GE(hit.value, floor) << hit.row << ' ' << hit.column;
      // The floor lies a float's rounding below the score itself.
      const float lower = tile.filter->lower_bound(hit.value, hit.row, static_cast<Item>(37 + hit.column));
      ASSERT_LE(lower, std::nextafter(floor, std::numeric_limits<float>::infinity()))
          << hit.row << ' ' << hit.column;
    }
  });
}

/// A candidate whose distance is known stands among others as if a kernel had found it.
TEST(tile_kernels, score_ceiling_is_above_the_true_score_and_its_lower_bound_is_not) {
  for_all_tiles(37, 45, [](const Tile& tile) {
    for (const TileHit& hit : tile.all_hits()) {
      const double distance = tile.dissimilarity_of(hit);
      const float above =
          std::nextafter(tile.filter->score_floor(distance), std::numeric_limits<float>::infinity());
      const float ceiling = tile.filter->score_ceiling(distance);
      ASSERT_GE(ceiling, std::min(0.0F, above)) << hit.row << ' ' << hit.column;
      ASSERT_LE(tile.filter->lower_bound(ceiling, hit.row, static_cast<Item>(37 + hit.column)), above)
          << hit.row << ' ' << hit.column;
    }
  });
}

TEST(tile_kernels, write_the_values_they_find_hits_by) {
  for (const auto& [rows, columns] : {std::pair{37U, 45U}, {64U, 64U}, {1U, 130U}, {9U, 1U}})
    for_all_tiles(rows, columns, [](const Tile& tile) {
      const std::size_t stride = TileSide::padded(tile.count[1]) + 5;
      std::vector<float> values(TileSide::padded(tile.count[0]) * stride, 7.0F);
      TileSide left_side;
      TileSide right_side;
      left_side.assign(tile.filter->offsets(), tile.count[0]);
      right_side.assign(tile.filter->offsets() + tile.count[0], tile.count[1]);
      KernelScratch scratch;
      tile.kernel.write_values(tile.left, tile.right, left_side, right_side, values.data(), stride, scratch);
      const auto hits = tile.all_hits();
      ASSERT_EQ(hits.size(), tile.count[0] * tile.count[1]);
      for (const TileHit& hit : hits)
        ASSERT_EQ(values[hit.row * stride + hit.column], hit.value) << hit.row << ' ' << hit.column;
      for (std::size_t r = 0; r < TileSide::padded(tile.count[0]); ++r)
        for (std::size_t c = TileSide::padded(tile.count[1]); c < stride; ++c)
          ASSERT_EQ(values[r * stride + c], 7.0F) << "written beyond the filling";
    });
}

TEST(tile_kernels, hits_are_exactly_the_pairs_that_reach_either_bar) {
  for_all_tiles(50, 70, [](const Tile& tile) {
    const auto everything = tile.all_hits();
    std::vector<float> left_bars(50);
    std::vector<float> right_bars(70);
    for (const TileHit& hit : everything) {
      // Bars that are values of the tile themselves: equality counts.
      if (hit.column % 7 == hit.row % 7) left_bars[hit.row] = hit.value;
      if (hit.column % 5 == hit.row % 5) right_bars[hit.column] = hit.value;
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> expected;
    for (const TileHit& hit : everything)
      if (hit.value >= std::min(left_bars[hit.row], right_bars[hit.column]))
        expected.insert({hit.row, hit.column});
    const auto found = tile.hits(left_bars, right_bars);
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const TileHit& hit : found) pairs.insert({hit.row, hit.column});
    ASSERT_EQ(found.size(), pairs.size());
    ASSERT_EQ(pairs, expected);
  });
}

TEST(tile_kernels, rounding_to_bf16_is_to_nearest_even) {
  const auto rounded = [](float x) {
    return std::bit_cast<float>(round_to_bf16(std::bit_cast<std::uint32_t>(x)));
  };
  EXPECT_EQ(rounded(1.0F), 1.0F);
  EXPECT_EQ(rounded(1.0F + 0x1p-8F), 1.0F);
  EXPECT_EQ(rounded(1.0F + 0x1p-8F + 0x1p-20F), 1.0F + 0x1p-7F);
  EXPECT_EQ(rounded(1.0F + 3 * 0x1p-8F), 1.0F + 0x1p-6F);
  EXPECT_EQ(rounded(-0.0F), 0.0F);
}

/// Else no kernel could tell the other rows apart, and every pair would be looked at twice.
TEST(tile_kernels, a_row_far_out_does_not_blur_the_others) {
  std::vector<float> rows = random_rows(300, 16, RowStyle::gaussian, 3);
  for (std::size_t d = 0; d < 16; ++d) rows[d] *= 1e6F;
  const MatrixView view = MatrixView::of_floats(rows.data(), 300, 16);
  const RowFacts facts = survey_rows(view, {});
  std::vector<Item> items(300);
  std::iota(items.begin(), items.end(), Item{0});
  for (const TileKernel* kernel : kernels_for(Metric::l2)) {
    const ScoreFilter filter(view, Metric::l2, facts, items, *kernel, pith::Run{});
    const double distance = dissimilarity(Metric::l2, rows.data() + 16, rows.data() + 32, 16,
                                          facts.squared_norms[1], facts.squared_norms[2]);
    EXPECT_LT(filter.widths()[1] + filter.widths()[2],
              -0.1 * static_cast<double>(filter.score_floor(distance)))
        << kernel->name();
  }
}

TEST(tile_kernels, a_name_without_a_kernel_is_refused) {
  EXPECT_THROW((void)find_kernel("avx1024"), Error);
  EXPECT_EQ(find_kernel("blas").name(), "blas");
  EXPECT_EQ(find_kernel(kernel_names().front()).name(), kernel_names().front());
}

}  // namespace
}  // namespace pith
