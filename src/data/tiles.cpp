#include "data/tiles.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>

#include "base/parallel.h"
#include "pith/error.h"

namespace pith {
namespace {

constexpr std::size_t tile_elements = std::size_t{1} << 16;
constexpr std::size_t fewest_rows = 16;

}  // namespace

std::size_t tile_rows(const MatrixView& view) noexcept {
  return std::min(view.rows, std::max(fewest_rows, tile_elements / std::max<std::size_t>(1, view.cols)));
}

void for_each_tile(const MatrixView& view, const Run& run, std::string_view stage,
                   const std::function<void(std::size_t, std::size_t, unsigned)>& body) {
  for_each_tile(view, {0, view.rows}, run, stage, body);
}

void for_each_tile(const MatrixView& view, const RowRange& rows, const Run& run, std::string_view stage,
                   const std::function<void(std::size_t, std::size_t, unsigned)>& body) {
  const std::size_t all = rows.last - rows.first;
  std::atomic<std::size_t> lowest_failure{SIZE_MAX};
  std::exception_ptr failure;
  std::size_t rows_done = 0;
  std::mutex mutex;  // guards failure, rows_done and the progress callback
  parallel_for(run, all, tile_rows(view), [&](std::size_t begin, std::size_t end, unsigned worker) {
    const std::size_t first = rows.first + begin;
    // Tiles are handed out in ascending order, so every tile below a failing one is looked at.
    if (first > lowest_failure.load(std::memory_order_relaxed)) return;
    try {
      body(first, end - begin, worker);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_input) throw;
      const std::lock_guard lock(mutex);
      if (first < lowest_failure.load(std::memory_order_relaxed)) {
        lowest_failure.store(first, std::memory_order_relaxed);
        failure = std::current_exception();
      }
      return;
    }
    const std::lock_guard lock(mutex);
    rows_done += end - begin;
    run.report(stage, static_cast<double>(rows_done), static_cast<double>(all));
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace pith
