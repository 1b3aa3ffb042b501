#pragma once

#include <functional>
#include <memory>

namespace pith {

/// The threads of a pool, for one caller at a time. They stay when their work is done, for loops that are too
/// short to start threads for each time: they block signals from outside, sleep when there is nothing to do
/// and live as long as the process. A child made by fork() begins with none.
class PooledWorkers {
 public:
  /// nullptr where somebody else has them; this caller included.
  [[nodiscard]] static std::unique_ptr<PooledWorkers> try_take();
  /// Waits for the work to end, and gives them back.
  ~PooledWorkers();
  PooledWorkers(const PooledWorkers&) = delete;
  PooledWorkers& operator=(const PooledWorkers&) = delete;

  /// Calls work(1), ..., work(helpers), each on a thread of its own, and returns at once; where the system
  /// gives no more threads, fewer of them. Once. `work` must not throw, and must outlive this.
  void start(unsigned helpers, const std::function<void(unsigned)>& work);

 private:
  struct Pool;
  struct Seat;
  explicit PooledWorkers(Pool& pool) : pool_(pool) {}

  Pool& pool_;
  unsigned started_ = 0;
};

}  // namespace pith
