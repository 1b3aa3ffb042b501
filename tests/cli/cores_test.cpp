#include <sched.h>

#include "support/cli_case.h"

namespace pith::testing {
namespace {

class Cores : public CliCase {};

/// taskset, containers and launchers tie a process to some cores: it takes no more threads than these.
TEST_F(Cores, a_process_takes_those_it_is_tied_to) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const Results tied = selected({"--budget", "6"});
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(tied.summary.at("threads"), 1);
  EXPECT_EQ(selected({"--budget", "6", "--threads", "3"}).summary.at("threads"), 3);
}

}  // namespace
}  // namespace pith::testing
