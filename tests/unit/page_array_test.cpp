#include "base/page_array.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace pith {
namespace {

TEST(PageArray, is_zero_until_written_and_again_once_released) {
  constexpr std::size_t count = 1 << 16;
  PageArray<std::uint64_t> array(count);
  EXPECT_EQ(array[count - 1], 0U);
  array[count / 2] = 7;
  EXPECT_EQ(array[count / 2], 7U);
  array.release(0, count);
  EXPECT_EQ(array[count / 2], 0U);
}

/// 8 bytes each of 2^61 + 1 are 2^64 + 8, of which 64 bits keep 8.
TEST(PageArray, refuses_what_no_memory_holds) {
  EXPECT_THROW(PageArray<std::uint64_t>((std::size_t{1} << 61) + 1), std::bad_alloc);
}

}  // namespace
}  // namespace pith
