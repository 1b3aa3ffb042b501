#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <string>

#include "graph/approximate_neighbors.h"
#include "graph/cells.h"
#include "graph/find_neighbors.h"
#include "support/runs.h"

namespace pith {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

double status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(field + ":", 0) == 0) return 1024 * std::stod(line.substr(field.size() + 1));
  return 0;
}

/// Most memory that `work` held at a time beyond what was there before.
template <class Work>
double peak_of(Work work) {
  std::ofstream("/proc/self/clear_refs") << "5";
  const double before = status_bytes("VmRSS");
  work();
  return status_bytes("VmHWM") - before;
}

struct NeighborMemory : ::testing::Test {
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "sanitizers hold memory of their own";
    std::mt19937_64 rng(1);
    std::normal_distribution<float> normal;
    std::vector<float> centres(100 * dimension);
    for (float& x : centres) x = 3 * normal(rng);
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t d = 0, centre = rng() % 100; d < dimension; ++d)
        rows.push_back(centres[centre * dimension + d] + normal(rng));
  }

  static constexpr std::size_t n = 150'000;
  static constexpr std::size_t dimension = 8;
  static constexpr std::uint32_t k = 10;
  std::vector<float> rows;
  GraphOptions options;
};

TEST_F(NeighborMemory, of_the_exact_search_is_what_was_promised) {
  options.knn = Knn::exact;
  const auto view = MatrixView::of_floats(rows.data(), n, dimension);
  const double peak =
      peak_of([&] { static_cast<void>(find_neighbors(view, options, k, testing::with_threads(2))); });
  EXPECT_LE(peak, static_cast<double>(neighbor_memory(view, k, 2 * k + 4, 2)));
  EXPECT_GE(peak, 8.0 * k * n);  // the lists alone: what is measured is there
}

TEST_F(NeighborMemory, of_the_approximate_search_is_24_bytes_a_neighbour_and_a_workspace) {
  options.knn = Knn::approximate;
  options.recall = 0.9;
  const auto view = MatrixView::of_floats(rows.data(), n, dimension);
  FoundNeighbors found;
  const double peak = peak_of([&] { found = find_neighbors(view, options, k, testing::with_threads(2)); });
  ASSERT_EQ(found.method, "approximate");
  const double workspace =
      static_cast<double>(neighbor_memory(view, k, 2 * k + 4, 2)) - static_cast<double>(n * (24 * k + 8));
  EXPECT_LE(peak,
            24.0 * k * n + workspace + static_cast<double>(Cells::workspace_bytes(n, dimension, n / 250)));
  EXPECT_GE(peak, 8.0 * k * n);
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
