#pragma once

#include "pith/run.h"

namespace pith::testing {

/// Inside a gtest test the name Run means something else.
inline pith::Run with_threads(unsigned threads) {
  pith::Run run;
  run.threads = threads;
  return run;
}

}  // namespace pith::testing
