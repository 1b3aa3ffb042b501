#include "graph/recall_check.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "support/random_rows.h"
#include "support/runs.h"

namespace pith {
using pith::testing::random_rows;
using pith::testing::RowStyle;
using pith::testing::with_threads;

namespace {

TEST(recall_check, equal_items_drawn_at_different_times_are_one_row) {
  constexpr std::size_t n = 900;
  constexpr std::size_t different = 40;
  auto values = random_rows(n, 8, RowStyle::gaussian, 3);
  for (std::size_t i = different; i < n; ++i)
    for (std::size_t d = 0; d < 8; ++d) values[i * 8 + d] = values[i % different * 8 + d];
  const Matrix matrix = Matrix::of_floats(std::move(values), n, 8, "repeated");
  const auto run = with_threads(2);
  NeighborSearch search(matrix.view, Metric::cosine, 5, run, {});
  RecallCheck check(search, 5, 1);
  for (int round = 0; round < 4; ++round)
    check.extend(search, 100,
                 [&](std::span<const Item> queries) { return exact_nearest_of(search, queries, run); });
  EXPECT_EQ(check.sampled(), 400);
  EXPECT_EQ(std::set<Item>(check.groups().begin(), check.groups().end()).size(), check.groups().size());
  const auto found = check.measure(search, run);
  EXPECT_EQ(std::accumulate(found.begin(), found.end(), std::uint64_t{0}), 400);
}

}  // namespace
}  // namespace pith
