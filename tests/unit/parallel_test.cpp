#include "base/parallel.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/worker_pool.h"
#include "support/sanitized.h"

namespace pith {
namespace {

/// How often each of `count` places is visited.
std::vector<int> visits(const Run& run, std::size_t count, std::size_t chunk) {
  std::vector<std::atomic<int>> seen(count);
  parallel_for(run, count, chunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
    EXPECT_LT(worker, run.thread_count());
    for (std::size_t at = begin; at < end; ++at) ++seen[at];
  });
  return {seen.begin(), seen.end()};
}

std::size_t threads_of_this_process() {
  DIR* const folder = opendir("/proc/self/task");
  std::size_t entries = 0;
  while (readdir(folder) != nullptr) ++entries;
  closedir(folder);
  return entries - 2;
}

TEST(ParallelFor, VisitsEverythingOnce) {
  for (const unsigned threads : {1U, 2U, 3U, 8U})
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{1000}})
      EXPECT_EQ(visits(pith::Run{.threads = threads, .progress = {}}, count, 3), std::vector<int>(count, 1));
}

TEST(ParallelFor, ManyShortLoopsKeepTheirThreads) {
  const pith::Run run{.threads = 4, .progress = {}};
  visits(run, 100, 1);
  const std::size_t before = threads_of_this_process();
  for (int loop = 0; loop < 2000; ++loop) ASSERT_EQ(visits(run, 5, 1), std::vector<int>(5, 1));
  EXPECT_EQ(threads_of_this_process(), before);
}

TEST(ParallelFor, WithinItself) {
  const pith::Run run{.threads = 3, .progress = {}};
  std::atomic<int> visited = 0;
  parallel_for(run, 6, 1, [&](std::size_t, std::size_t, unsigned) {
    for (const int times : visits(run, 10, 1)) visited += times;
  });
  EXPECT_EQ(visited, 60);
}

TEST(ParallelFor, FromSeveralThreadsAtOnce) {
  std::vector<std::jthread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([] {
      for (int loop = 0; loop < 200; ++loop)
        ASSERT_EQ(visits(pith::Run{.threads = 3, .progress = {}}, 9, 2), std::vector<int>(9, 1));
    });
}

TEST(ParallelFor, RethrowsAndGoesOnAfterwards) {
  const pith::Run run{.threads = 3, .progress = {}};
  for (int loop = 0; loop < 50; ++loop) {
    EXPECT_THROW(parallel_for(run, 100, 1,
                              [](std::size_t begin, std::size_t, unsigned) {
                                if (begin == 40) throw std::runtime_error("forty");
                              }),
                 std::runtime_error);
    ASSERT_EQ(visits(run, 20, 1), std::vector<int>(20, 1));
  }
}

TEST(ParallelFor, WorksInAChildOfFork) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer ends a child that starts threads";
#endif
  const pith::Run run{.threads = 3, .progress = {}};
  ASSERT_EQ(visits(run, 20, 1), std::vector<int>(20, 1));
  const pid_t child = fork();
  if (child == 0) _exit(visits(run, 20, 1) == std::vector<int>(20, 1) ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ASSERT_EQ(visits(run, 20, 1), std::vector<int>(20, 1));
}

/// Bytes of addresses this process has.
std::size_t mapped_bytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(ParallelFor, DoesWithTheThreadsItGets) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers need addresses of their own";
  const pid_t child = fork();
  if (child == 0) {
    const auto pool = PooledWorkers::try_take();  // so that the loop has to start its own
    // Room for what the loop holds, and for the stacks of a few threads at most.
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
    limit.rlim_cur = mapped_bytes() + (16U << 20);
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
    _exit(visits(pith::Run{.threads = 64, .progress = {}}, 64, 1) == std::vector<int>(64, 1) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace pith
