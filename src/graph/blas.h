#pragma once

#include <cblas.h>

#include <mutex>

namespace pith {

/// The BLAS must not start threads inside ours. It has one number of threads for the whole process: where
/// several searches run side by side, the first sets it and the last sets it back.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas() {
    const std::lock_guard lock(mutex_);
    if (users_++ != 0) return;
    before_ = openblas_get_num_threads();
    openblas_set_num_threads(1);
  }
  ~SingleThreadedBlas() {
    const std::lock_guard lock(mutex_);
    if (--users_ == 0) openblas_set_num_threads(before_);
  }
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  inline static std::mutex mutex_;  ///< guards the others
  inline static int users_ = 0;
  inline static int before_ = 1;
};

/// For a program whose threads are all ours: ends those the BLAS started as it was loaded. They are never
/// used, and spin for a tenth of a second, on a core that the first loops want.
/// Under a hard limit of memory they may wait for ever for buffers that they will not get, and cannot be
/// ended: then the program starts again, with `argv`, without them.
void end_blas_threads(char** argv);

}  // namespace pith
