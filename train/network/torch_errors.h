#pragma once

#include <c10/util/Exception.h>

#include <string>

#include "pith/error.h"

namespace pith::train {

/// What work() returns; where libtorch finds no memory for it, an error that says what to do.
template <class Work>
auto with_memory_named(const Work& work) {
  try {
    return work();
  } catch (const c10::Error& error) {
    const std::string what = error.what_without_backtrace();
    if (what.find("allocate memory") == std::string::npos && what.find("out of memory") == std::string::npos)
      throw;
    throw Error(ErrorKind::io,
                "out of memory for the network; lower --batch or --image-size, or take a smaller --model");
  }
}

}  // namespace pith::train
