// The machine code of the amx kernel, carried out by a trap where the processor has no AMX: what is
// configured, which tile goes where, strides, and sums in the order of the hardware's manual.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "graph/approximate_neighbors.h"
#include "graph/exact_neighbors.h"
#include "graph/kernels/amx_kernel.h"
#include "pith/error.h"
#include "support/amx_trap.h"
#include "support/brute_force_neighbors.h"
#include "support/random_rows.h"
#include "support/runs.h"

namespace pith {
namespace {

using testing::AmxTrap;
using testing::brute_force_neighbors;
using testing::random_rows;
using testing::RowStyle;
using testing::with_threads;

class amx_instructions : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto kernels = kernel_names();
    if (std::find(kernels.begin(), kernels.end(), "avx512") == kernels.end())
      GTEST_SKIP() << "skipped: the amx kernel reads its sums with AVX-512, which this processor lacks";
  }
  /// Something must have been executed: by the processor, or by the trap.
  void TearDown() override {
    if (!IsSkipped() && !amx_permitted()) {
      EXPECT_GT(AmxTrap::caught(), caught_before_);
    }
  }
  unsigned long long caught_before_ = AmxTrap::caught();
  AmxTrap trap_;
};

/// Small integers, whose products and sums are exact in any order.
TEST_F(amx_instructions, write_the_products_of_all_pairs) {
  for (const std::size_t dimension : {1U, 31U, 32U, 33U, 64U, 200U})
    for (const auto& [rows, columns] : {std::pair{1U, 1U}, {16U, 33U}, {37U, 70U}, {64U, 32U}}) {
      std::vector<float> left(rows * dimension);
      std::vector<float> right(columns * dimension);
      for (std::size_t at = 0; at < left.size(); ++at) left[at] = static_cast<float>(at * 7 % 23) - 11;
      for (std::size_t at = 0; at < right.size(); ++at) right[at] = static_cast<float>(at * 5 % 19) - 9;
      const TileKernel& kernel = amx_kernel();
      PackedPanel left_panel;
      PackedPanel right_panel;
      kernel.pack_left(left.data(), rows, dimension, 2.0F, left_panel);
      kernel.pack_right(right.data(), columns, dimension, right_panel);
      TileSide left_side;
      TileSide right_side;
      left_side.assign(std::vector<float>(rows, 0.0F).data(), rows);
      right_side.assign(std::vector<float>(columns, 0.0F).data(), columns);
      const std::size_t stride = TileSide::padded(columns);
      std::vector<float> values(TileSide::padded(rows) * stride);
      KernelScratch scratch;
      kernel.write_values(left_panel, right_panel, left_side, right_side, values.data(), stride, scratch);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
          float expected = 0;
          for (std::size_t d = 0; d < dimension; ++d)
            expected += 2 * left[r * dimension + d] * right[c * dimension + d];
          ASSERT_EQ(values[r * stride + c], expected) << dimension << ": " << r << ' ' << c;
        }
    }
}

TEST_F(amx_instructions, exact_lists_equal_brute_force) {
  struct Shape {
    std::size_t n, dimension;
    std::uint32_t k;
  };
  for (const Shape shape : {Shape{259, 3, 10}, {131, 64, 5}, {67, 300, 10}, {33, 1030, 3}})
    for (const Metric metric : {Metric::cosine, Metric::l2})
      for (const RowStyle style : testing::all_row_styles) {
        SCOPED_TRACE(std::to_string(shape.n) + " x " + std::to_string(shape.dimension) + ", style " +
                     std::to_string(static_cast<int>(style)));
        const auto rows = random_rows(shape.n, shape.dimension, style, 5);
        const auto view = MatrixView::of_floats(rows.data(), shape.n, shape.dimension);
        const auto expected = brute_force_neighbors(view, metric, shape.k);
        for (const std::size_t slots : {0U, 1U}) {  // one slot: every row overflows
          const NeighborTuning tuning{.block_rows = 0, .slots = slots, .kernel = "amx-unchecked"};
          const auto found = exact_neighbors(view, metric, shape.k, with_threads(2), tuning);
          ASSERT_EQ(found.items, expected.items);
          ASSERT_EQ(found.dissimilarities, expected.dissimilarities);
        }
      }
}

/// Where the cells' borders fall depends on rounding; what is found meets the recall asked for either way.
TEST_F(amx_instructions, approximate_lists_meet_their_recall) {
  constexpr std::size_t n = 3000;
  constexpr std::uint32_t k = 10;
  // Sixty clouds far apart: cells pay there.
  auto rows = random_rows(n, 24, RowStyle::gaussian, 9);
  for (std::size_t i = 60; i < n; ++i)
    for (std::size_t d = 0; d < 24; ++d) rows[i * 24 + d] = rows[i % 60 * 24 + d] + 0.2F * rows[i * 24 + d];
  const auto view = MatrixView::of_floats(rows.data(), n, 24);
  const auto expected = brute_force_neighbors(view, Metric::cosine, k);
  NeighborTuning tuning;
  tuning.kernel = "amx-unchecked";
  const ApproximateOptions options{.recall = 0.9, .cells = 12, .persist = true};
  const auto found = approximate_neighbors(view, Metric::cosine, k, options, with_threads(2), tuning);
  ASSERT_FALSE(found.exact);
  std::size_t met = 0;
  for (std::size_t at = 0; at < expected.items.size(); ++at)
    met += found.lists.dissimilarities[at] <= expected.dissimilarities[at] ? 1 : 0;
  EXPECT_GE(static_cast<double>(met), 0.9 * static_cast<double>(expected.items.size()));
}

TEST(amx_kernel, cannot_be_forced_past_the_check_from_outside) {
  ASSERT_EQ(setenv("PITH_KERNEL", "amx-unchecked", 1), 0);
  EXPECT_THROW((void)find_kernel(), Error);
  unsetenv("PITH_KERNEL");
}

}  // namespace
}  // namespace pith
