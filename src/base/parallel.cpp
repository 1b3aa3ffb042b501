#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/worker_pool.h"

namespace pith {

void parallel_for(const Run& run, std::size_t count, std::size_t chunk,
                  const std::function<void(std::size_t, std::size_t, unsigned)>& body) {
  if (count == 0) return;
  chunk = std::max<std::size_t>(1, chunk);
  const std::size_t chunks = (count + chunk - 1) / chunk;
  const auto workers = static_cast<unsigned>(std::min<std::size_t>(run.thread_count(), chunks));

  std::atomic<std::size_t> next{0};
  std::mutex failure_mutex;
  std::exception_ptr failure;
  const auto work = [&](unsigned worker) {
    try {
      for (;;) {
        const std::size_t at = next.fetch_add(1, std::memory_order_relaxed);
        if (at >= chunks) return;
        run.check_cancelled();
        body(at * chunk, std::min(count, (at + 1) * chunk), worker);
      }
    } catch (...) {
      next.store(chunks, std::memory_order_relaxed);
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };

  {
    // The pool has one user at a time: loops within loops, and those of a program's other threads, start
    // their own.
    const std::function<void(unsigned)> helper = work;
    std::vector<std::jthread> own;
    const std::unique_ptr<PooledWorkers> pool = workers > 1 ? PooledWorkers::try_take() : nullptr;
    if (pool) {
      pool->start(workers - 1, helper);
    } else {
      try {
        for (unsigned worker = 1; worker < workers; ++worker) own.emplace_back(helper, worker);
      } catch (const std::system_error&) {  // the system gives no more: those there are do the work
      }
    }
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace pith
