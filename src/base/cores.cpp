#include "base/cores.h"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

namespace pith {
namespace {

unsigned cores_tied_to() noexcept {
  constexpr unsigned most = 1U << 16;
  for (unsigned size = 1024; size <= most; size *= 4) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(size),
                                                               [](cpu_set_t* it) { CPU_FREE(it); });
    if (set == nullptr) break;
    if (sched_getaffinity(0, CPU_ALLOC_SIZE(size), set.get()) == 0)
      return static_cast<unsigned>(CPU_COUNT_S(CPU_ALLOC_SIZE(size), set.get()));
  }
  return std::thread::hardware_concurrency();
}

/// The share of time a container is given, in cores rounded up; 0 where there is no limit.
unsigned cores_worth_of_time() noexcept {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/sys/fs/cgroup/cpu.max", "re"),
                                                             [](std::FILE* it) { return std::fclose(it); });
  unsigned long quota = 0;
  unsigned long period = 0;
  if (file == nullptr || std::fscanf(file.get(), "%lu %lu", &quota, &period) != 2 || period == 0) return 0;
  return static_cast<unsigned>(std::min<unsigned long>((quota + period - 1) / period, 1U << 16));
}

}  // namespace

unsigned cores_allowed() noexcept {
  // Whoever asks twice sizes something by one answer and fills it by the other.
  static const unsigned allowed = [] {
    const unsigned tied = std::max(1U, cores_tied_to());
    const unsigned worth = cores_worth_of_time();
    return worth == 0 ? tied : std::min(tied, worth);
  }();
  return allowed;
}

}  // namespace pith
