#include "base/worker_pool.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <deque>
#include <exception>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pith {
namespace {

/// Some 200 us. Waking a thread that sleeps takes about as long; loops that follow each other closely find it
/// awake.
constexpr int glances = 10000;

void pause_briefly() noexcept {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

/// Returns when `value` is no longer `old`.
void wait_while(const std::atomic<unsigned>& value, unsigned old) noexcept {
  for (int glance = 0; glance < glances; ++glance) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause_briefly();
  }
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

/// Signals are for the threads of the program, but for those that a thread brings upon itself.
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    for (const int own : {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) sigdelset(&all, own);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

/// One thread's place: what it is to do, and how often it has been told to and has done so.
struct PooledWorkers::Seat {
  unsigned worker = 0;
  const std::function<void(unsigned)>* work = nullptr;
  std::atomic<unsigned> told = 0;
  std::atomic<unsigned> done = 0;

  void serve() {
    for (unsigned turn = 0;; ++turn) {
      wait_while(told, turn);
      (*work)(worker);
      done.store(turn + 1, std::memory_order_release);
      done.notify_one();
    }
  }
};

struct PooledWorkers::Pool {
  std::atomic<bool> taken = false;
  std::deque<Seat> seats = {};

  /// Never destroyed, because its threads may outlive main.
  static std::atomic<Pool*>& current() {
    static std::atomic<Pool*> pool = new Pool;
    return pool;
  }
};

std::unique_ptr<PooledWorkers> PooledWorkers::try_take() {
  // A child of fork() has none of its parent's threads, and the pool may be taken there for good: it leaves
  // that one alone.
  static const int prepared =
      pthread_atfork(nullptr, nullptr, [] { Pool::current().store(new Pool, std::memory_order_release); });
  if (prepared != 0) return nullptr;
  Pool& pool = *Pool::current().load(std::memory_order_acquire);
  if (pool.taken.exchange(true, std::memory_order_acquire)) return nullptr;
  return std::unique_ptr<PooledWorkers>(new PooledWorkers(pool));
}

PooledWorkers::~PooledWorkers() {
  for (unsigned at = 0; at < started_; ++at) {
    const Seat& seat = pool_.seats[at];
    wait_while(seat.done, seat.told.load(std::memory_order_relaxed) - 1);
  }
  pool_.taken.store(false, std::memory_order_release);
}

void PooledWorkers::start(unsigned helpers, const std::function<void(unsigned)>& work) {
  while (pool_.seats.size() < helpers) {
    Seat& seat = pool_.seats.emplace_back();
    seat.worker = static_cast<unsigned>(pool_.seats.size());
    try {
      const SignalsBlocked blocked;
      std::thread([&seat] { seat.serve(); }).detach();
    } catch (const std::exception&) {  // no thread or no memory for one; without it a seat is never done
      pool_.seats.pop_back();
      break;
    }
  }
  started_ = std::min(helpers, static_cast<unsigned>(pool_.seats.size()));
  for (unsigned at = 0; at < started_; ++at) {
    Seat& seat = pool_.seats[at];
    seat.work = &work;
    seat.told.fetch_add(1, std::memory_order_release);
    seat.told.notify_one();
  }
}

}  // namespace pith
