#include "graph/blas.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <initializer_list>

/// OpenBLAS exports it, for fork(), without declaring it. It starts its threads again if it ever wants them.
extern "C" int blas_thread_shutdown_() __attribute__((weak));

namespace pith {

namespace {

bool memory_is_limited() {
  for (const auto kind : {RLIMIT_DATA, RLIMIT_AS}) {
    rlimit limit{};
    if (::getrlimit(kind, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) return true;
  }
  return false;
}

}  // namespace

void end_blas_threads(char** argv) {
  if (memory_is_limited() && std::getenv("OPENBLAS_NUM_THREADS") == nullptr) {
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);  // read as the library is loaded
    ::execv("/proc/self/exe", argv);
  }
  openblas_set_num_threads(1);
  if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
}

}  // namespace pith
