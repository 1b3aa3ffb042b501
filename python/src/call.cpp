#include "call.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace py = pybind11;

namespace pith::python {
namespace {

/// How long an interrupt may wait to be seen.
constexpr std::chrono::milliseconds glance{20};

/// The newest report of a computation that runs elsewhere.
class LatestReport {
 public:
  void set(std::string_view stage, double done, double total) {
    const std::lock_guard lock(mutex_);
    stage_ = stage;
    done_ = done;
    total_ = total;
    fresh_ = true;
  }
  /// Tells it to `progress`, once. Needs the GIL.
  void hand_over(const py::object& progress) {
    std::unique_lock lock(mutex_);
    if (!std::exchange(fresh_, false)) return;
    const std::string stage = stage_;
    const double done = done_;
    const double total = total_;
    lock.unlock();
    progress(stage, done, total);
  }

 private:
  std::mutex mutex_;
  std::string stage_;
  double done_ = 0;
  double total_ = 0;
  bool fresh_ = false;
};

/// A thread that can be waited for in glances.
class Worker {
 public:
  explicit Worker(const std::function<void()>& work) : thread_([this, &work] { run(work); }) {}
  bool ends_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return ended_changed_.wait_for(lock, time, [this] { return ended_; });
  }
  [[nodiscard]] std::exception_ptr failure() const { return failure_; }

 private:
  void run(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    ended_changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable ended_changed_;
  bool ended_ = false;
  std::exception_ptr failure_;
  std::jthread thread_;  ///< last, so that everything it uses is there before and after it
};

}  // namespace

void run_call(const GivenTexts& given, const py::object& progress,
              const std::function<void(const Run&)>& work) {
  std::atomic<bool> cancelled{false};
  LatestReport report;
  Run run{.threads = read_threads(given), .progress = {}, .cancelled = &cancelled};
  if (!progress.is_none())
    run.progress = [&](std::string_view stage, double done, double total) { report.set(stage, done, total); };

  std::exception_ptr interruption;
  std::exception_ptr failure;
  {
    const py::gil_scoped_release released;
    const std::function<void()> body = [&] { work(run); };
    Worker worker(body);
    while (!worker.ends_within(glance)) {
      if (interruption) continue;
      const py::gil_scoped_acquire acquired;
      try {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (!progress.is_none()) report.hand_over(progress);
      } catch (...) {
        interruption = std::current_exception();
        cancelled = true;
      }
    }
    failure = worker.failure();
  }
  if (interruption) std::rethrow_exception(interruption);
  if (failure) std::rethrow_exception(failure);
  if (!progress.is_none()) report.hand_over(progress);
}

}  // namespace pith::python
