#include <gtest/gtest.h>

#include <random>

#include "base/peak_memory.h"
#include "graph/approximate_neighbors.h"
#include "graph/cells.h"
#include "graph/find_neighbors.h"
#include "support/runs.h"
#include "support/sanitized.h"

namespace pith {
namespace {

/// Around a hundred centres.
std::vector<float> clustered_rows(std::size_t n, std::size_t dimension) {
  std::mt19937_64 rng(1);
  std::normal_distribution<float> normal;
  std::vector<float> centres(100 * dimension);
  for (float& x : centres) x = 3 * normal(rng);
  std::vector<float> rows;
  rows.reserve(n * dimension);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t d = 0, centre = rng() % 100; d < dimension; ++d)
      rows.push_back(centres[centre * dimension + d] + normal(rng));
  return rows;
}

/// That differ in twelve directions.
std::vector<float> rows_of_twelve_directions(std::size_t n, std::size_t dimension) {
  std::mt19937_64 rng(1);
  std::normal_distribution<float> normal;
  constexpr std::size_t directions = 12;
  std::vector<float> basis(directions * dimension);
  for (float& x : basis) x = normal(rng);
  std::vector<float> rows(n * dimension, 0.0F);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t direction = 0; direction < directions; ++direction) {
      const float far = normal(rng);
      for (std::size_t d = 0; d < dimension; ++d)
        rows[row * dimension + d] += far * basis[direction * dimension + d];
    }
  return rows;
}

struct NeighborMemory : ::testing::Test {
  void SetUp() override {
    if (testing::sanitized) GTEST_SKIP() << "sanitizers hold memory of their own";
    if (!PeakMemory().bytes()) GTEST_SKIP() << "the system does not tell the most memory held";
  }
  void make_many_short_rows() { rows = clustered_rows(n, dimension); }

  static constexpr std::size_t n = 150'000;
  static constexpr std::size_t dimension = 8;
  static constexpr std::uint32_t k = 10;
  std::vector<float> rows;
  GraphOptions options;
};

TEST_F(NeighborMemory, of_the_exact_search_is_what_was_promised) {
  make_many_short_rows();
  options.knn = Knn::exact;
  const auto view = MatrixView::of_floats(rows.data(), n, dimension);
  const PeakMemory memory;
  static_cast<void>(find_neighbors(view, options, k, testing::with_threads(2)));
  const auto peak = static_cast<double>(memory.bytes().value());
  EXPECT_LE(peak, static_cast<double>(neighbor_memory(view, k, 2 * k + 4, 2)));
  EXPECT_GE(peak, 8.0 * k * n);  // the lists alone: what is measured is there
}

TEST_F(NeighborMemory, of_the_approximate_search_is_24_bytes_a_neighbour_and_a_workspace) {
  make_many_short_rows();
  options.knn = Knn::approximate;
  options.recall = 0.9;
  const auto view = MatrixView::of_floats(rows.data(), n, dimension);
  const PeakMemory memory;
  const FoundNeighbors found = find_neighbors(view, options, k, testing::with_threads(2));
  const auto peak = static_cast<double>(memory.bytes().value());
  ASSERT_EQ(found.method, "approximate");
  const double workspace =
      static_cast<double>(neighbor_memory(view, k, 2 * k + 4, 2)) - static_cast<double>(n * (24 * k + 8));
  EXPECT_LE(peak,
            24.0 * k * n + workspace + static_cast<double>(Cells::workspace_bytes(n, dimension, n / 250)));
  EXPECT_GE(peak, 8.0 * k * n);
}

/// Panels take most of it, which must not pile up from block to block.
TEST_F(NeighborMemory, of_the_exact_search_among_wide_rows_is_what_was_promised) {
  constexpr std::size_t wide = 100'000;
  constexpr std::size_t some = 512;
  options.knn = Knn::exact;
  rows = rows_of_twelve_directions(some, wide);
  const auto view = MatrixView::of_floats(rows.data(), some, wide);
  const PeakMemory memory;
  static_cast<void>(find_neighbors(view, options, k, testing::with_threads(1)));
  EXPECT_LE(memory.bytes().value(), neighbor_memory(view, k, 2 * k + 4, 1));
}

/// Each has the rows of a cell on its desk, and what they are worth to each other.
TEST_F(NeighborMemory, of_the_approximate_search_grows_with_the_threads_as_promised) {
  constexpr std::size_t wide = 512;
  constexpr std::size_t some = 24'000;
  constexpr unsigned threads = 8;
  options.knn = Knn::approximate;
  rows = rows_of_twelve_directions(some, wide);
  const auto view = MatrixView::of_floats(rows.data(), some, wide);
  const NeighborPlan plan = plan_neighbors(view, options, k, threads);
  const ApproximateOptions large_cells{.recall = 0.5, .cells = 16, .places = 1.2, .persist = true};
  const PeakMemory memory;
  const ApproximateNeighbors found =
      approximate_neighbors(view, options.metric, k, large_cells, testing::with_threads(threads),
                            {.slots = plan.slots, .most_places = plan.places});
  ASSERT_FALSE(found.exact);
  EXPECT_LE(memory.bytes().value(), plan.bytes);
}

TEST(PlanNeighbors, counts_blocks_of_wide_rows_as_large_as_they_are) {
  const float nothing = 0;  // only the shape is looked at
  const auto view = MatrixView::of_floats(&nothing, 20'000, 100'000);
  GraphOptions options;
  options.knn = Knn::exact;
  options.memory_bytes = std::uint64_t{1} << 30;
  EXPECT_LE(plan_neighbors(view, options, 10, 2).bytes, *options.memory_bytes / 4);
}

TEST(CellPlaces, give_their_memory_back_as_they_are_used_up) {
  Cells::Places places;
  places.counts = {2, 1};
  places.cells = {{4, 7, 4}};
  std::vector<std::pair<Item, std::uint32_t>> seen;
  places.use_up(10, [&](Item row, std::uint32_t cell) { seen.emplace_back(row, cell); });
  EXPECT_EQ(seen, (std::vector<std::pair<Item, std::uint32_t>>{{10, 4}, {10, 7}, {11, 4}}));
  EXPECT_EQ(places.cells[0].capacity(), 0U);
}

}  // namespace
}  // namespace pith
