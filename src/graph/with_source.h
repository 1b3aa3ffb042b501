#pragma once

#include <string>

#include "pith/error.h"

namespace pith {

/// What work() returns; complaints about the input it throws get the name of the input before them.
template <class Work>
auto with_source(const std::string& source, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::bad_input && error.kind() != ErrorKind::unsupported) throw;
    throw Error(error.kind(), source + ": " + error.what());
  }
}

}  // namespace pith
