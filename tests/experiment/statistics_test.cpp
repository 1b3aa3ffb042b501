#include "experiment/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace pith::train {
namespace {

TEST(Statistics, student_quantiles_are_those_of_the_printed_tables) {
  EXPECT_NEAR(student_quantile(1, 0.95), 12.7062, 1e-4);
  EXPECT_NEAR(student_quantile(2, 0.95), 4.30265, 1e-5);
  EXPECT_NEAR(student_quantile(4, 0.95), 2.77645, 1e-5);
  EXPECT_NEAR(student_quantile(9, 0.99), 3.24984, 1e-5);
  EXPECT_NEAR(student_quantile(1000000, 0.95), 1.95997, 1e-4);
}

TEST(Statistics, interval_of_known_numbers) {
  // 1, 2, 3, 4, 5: mean 3, deviation sqrt(2.5), t(4) = 2.77645, so 3 +- 1.96324.
  const Estimate out = estimate(std::vector<double>{1, 2, 3, 4, 5});
  EXPECT_EQ(out.count, 5U);
  EXPECT_NEAR(out.mean, 3, 1e-12);
  EXPECT_NEAR(out.deviation, std::sqrt(2.5), 1e-12);
  EXPECT_NEAR(out.low, 3 - 1.96324, 1e-5);
  EXPECT_NEAR(out.high, 3 + 1.96324, 1e-5);
}

TEST(Statistics, one_measurement_says_nothing_about_chance) {
  const Estimate out = estimate(std::vector<double>{7});
  EXPECT_EQ(out.mean, 7);
  EXPECT_EQ(out.deviation, 0);
  EXPECT_TRUE(std::isinf(out.low) && out.low < 0);
  EXPECT_TRUE(std::isinf(out.high) && out.high > 0);
}

TEST(Statistics, equal_measurements_leave_no_doubt) {
  const Estimate out = estimate(std::vector<double>{0.5, 0.5, 0.5});
  EXPECT_EQ(out.low, 0.5);
  EXPECT_EQ(out.high, 0.5);
}

}  // namespace
}  // namespace pith::train
