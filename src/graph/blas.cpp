#include "graph/blas.h"

/// OpenBLAS exports it, for fork(), without declaring it. It starts its threads again if it ever wants them.
extern "C" int blas_thread_shutdown_() __attribute__((weak));

namespace pith {

void end_blas_threads() {
  openblas_set_num_threads(1);
  if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
}

}  // namespace pith
