#include "pith/run.h"

#include "base/cores.h"
#include "pith/error.h"

namespace pith {

unsigned Run::thread_count() const noexcept {
  return threads != 0 ? threads : cores_allowed();
}

void Run::check_cancelled() const {
  if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed))
    throw Error(ErrorKind::interrupted, "interrupted: nothing was written");
}

}  // namespace pith
