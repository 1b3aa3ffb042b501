#pragma once

#include <cblas.h>

namespace pith {

/// The BLAS must not start threads inside ours.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas() : before_(openblas_get_num_threads()) { openblas_set_num_threads(1); }
  ~SingleThreadedBlas() { openblas_set_num_threads(before_); }
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  int before_;
};

/// For a program whose threads are all ours: ends those the BLAS started as it was loaded. They are never
/// used, and spin for a tenth of a second, on a core that the first loops want.
/// Under a hard limit of memory they may wait for ever for buffers that they will not get, and cannot be
/// ended: then the program starts again, with `argv`, without them.
void end_blas_threads(char** argv);

}  // namespace pith
