#include <gtest/gtest.h>

#include "base/peak_memory.h"
#include "base/rng.h"
#include "pith/pith.h"
#include "support/runs.h"

namespace pith {
namespace {

Matrix random_matrix(std::size_t rows, std::size_t cols, bool as_probabilities, Rng& rng) {
  std::vector<float> values(rows * cols);
  for (std::size_t row = 0; row < rows; ++row) {
    float sum = 0;
    for (std::size_t col = 0; col < cols; ++col)
      sum += values[row * cols + col] = static_cast<float>(1 + rng.below(100));
    for (std::size_t col = 0; as_probabilities && col < cols; ++col) values[row * cols + col] /= sum;
  }
  return Matrix::of_floats(values, rows, cols, "random");
}

/// Gradients of the last layer are D x L numbers an item. As two factors they are D + L: here 5 MB for all,
/// against 205 MB.
TEST(BadgeMemory, gradients_are_never_written_out) {
  constexpr std::size_t items = 8000;
  constexpr std::size_t dimension = 64;
  constexpr std::size_t classes = 100;
  Rng rng(5);
  SelectInput input;
  input.embeddings = random_matrix(items, dimension, false, rng);
  input.probabilities.members.push_back(random_matrix(items, classes, true, rng));
  input.predictions = read_predictions(input.probabilities, UncertaintyKind::margin);
  SelectOptions options;
  options.strategy = "badge";
  options.measure = false;
  options.budget.amount = std::int64_t{100};
  const PeakMemory memory;
  const Selection selection = select(input, options, testing::with_threads(2));
  const auto bytes = memory.bytes();
  if (!bytes) GTEST_SKIP() << "the system does not tell the most memory held";
  EXPECT_EQ(selection.picks.size(), 100U);
  EXPECT_LT(*bytes, 8 * sizeof(float) * items * (dimension + classes));
}

}  // namespace
}  // namespace pith
