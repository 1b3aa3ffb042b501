#pragma once

#include <cstddef>
#include <functional>

#include "pith/run.h"

namespace pith {

/// Calls body(begin, end, worker) over chunks of [0, count) from run.thread_count() threads, the caller's
/// among them, or from as many as the system gives. Chunks are handed out in ascending order; body must give
/// the same result whoever runs it. The first exception stops the hand-out and is rethrown here; cancellation
/// is checked between chunks.
void parallel_for(const Run& run, std::size_t count, std::size_t chunk,
                  const std::function<void(std::size_t begin, std::size_t end, unsigned worker)>& body);

}  // namespace pith
