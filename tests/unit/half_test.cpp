#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "pith/matrix.h"

namespace pith {
namespace {

/// IEEE binary16 by its definition.
double f16_by_definition(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
  return sign * (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25));
}

TEST(half, every_f16_widens_to_its_value) {
  // Two rows of all 65,536, so that whole blocks and single ones are both met.
  std::vector<std::uint16_t> all(2 * 65539);
  for (std::size_t at = 0; at < all.size(); ++at) all[at] = static_cast<std::uint16_t>(at % 65539);
  const MatrixView view{.data = reinterpret_cast<const std::byte*>(all.data()),
                        .rows = 2,
                        .cols = 65539,
                        .row_stride_bytes = 2 * 65539,
                        .col_stride_bytes = 2,
                        .scalar = Scalar::f16};
  std::vector<float> widened(all.size());
  view.read_rows(0, 2, widened.data());
  for (std::size_t at = 0; at < all.size(); ++at) {
    const double expected = f16_by_definition(all[at]);
    ASSERT_TRUE(static_cast<double>(widened[at]) == expected ||
                (std::isnan(expected) && std::isnan(widened[at])))
        << at;
    const float alone = widen_f16(all[at]);
    ASSERT_TRUE(static_cast<double>(alone) == expected || (std::isnan(expected) && std::isnan(alone))) << at;
  }
}

TEST(half, bf16_is_the_upper_half_of_a_float) {
  EXPECT_EQ(widen_bf16(0x3f80), 1.0F);
  EXPECT_EQ(widen_bf16(0xc049), -3.140625F);
  EXPECT_EQ(widen_bf16(0x0001), 0x1p-133F);
  EXPECT_TRUE(std::isinf(widen_bf16(0x7f80)));
}

}  // namespace
}  // namespace pith
