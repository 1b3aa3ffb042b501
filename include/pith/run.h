#pragma once

#include <atomic>
#include <functional>
#include <string_view>

namespace pith {

/// How a computation runs, never what it computes: the result is the same for every Run.
struct Run {
  unsigned threads = 0;  ///< 0: one per core
  /// Called now and then, from any worker but never from two at once: stage, work done, work in all.
  std::function<void(std::string_view stage, double done, double total)> progress;
  const std::atomic<bool>* cancelled =
      nullptr;  ///< once true, the computation throws Error{interrupted} soon

  [[nodiscard]] unsigned thread_count() const noexcept;
  void check_cancelled() const;
  void report(std::string_view stage, double done, double total) const {
    if (progress) progress(stage, done, total);
  }
};

}  // namespace pith
