#include "graph/blas.h"

#include <gtest/gtest.h>

#include <optional>

namespace pith {
namespace {

/// Two searches of a program's own threads: the one that ends first must not wake the BLAS under the other,
/// and the one that ends last leaves it as the program had it.
TEST(SingleThreadedBlas, lasts_as_long_as_anybody_needs_it) {
  const int at_first = openblas_get_num_threads();
  openblas_set_num_threads(2);
  if (openblas_get_num_threads() != 2) GTEST_SKIP() << "this BLAS has one thread whatever it is told";
  std::optional<SingleThreadedBlas> first(std::in_place);
  EXPECT_EQ(openblas_get_num_threads(), 1);
  std::optional<SingleThreadedBlas> second(std::in_place);
  first.reset();
  EXPECT_EQ(openblas_get_num_threads(), 1);
  second.reset();
  EXPECT_EQ(openblas_get_num_threads(), 2);
  openblas_set_num_threads(at_first);
}

}  // namespace
}  // namespace pith
