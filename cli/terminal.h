#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "pith/run.h"

namespace pith::cli {

/// Set by the first Ctrl-C or SIGTERM; a second one ends the process at once.
extern std::atomic<bool> interrupted;
void catch_interrupts();

/// "45 s", "12 min", "1.5 h".
[[nodiscard]] std::string duration(double seconds);

/// Writes to standard error. Where that cannot be written to (a full disk, closed), the work goes on.
void tell(std::string_view text) noexcept;

/// Progress on standard error: one line redrawn in place on a terminal, a plain line now and then elsewhere,
/// and nothing at all for work that takes less than two seconds.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(std::string_view stage, double done, double total);
  /// Takes the line away, so that other output can follow.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_;
  bool terminal_;
  bool shown_ = false;
  std::mutex mutex_;
  std::string stage_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point stage_started_ = Clock::now();
  Clock::time_point last_shown_{};
};

/// A Run of the command: threads as asked, progress to the line, stopped by Ctrl-C.
[[nodiscard]] Run make_run(unsigned threads, ProgressLine& line);

}  // namespace pith::cli
