#include "terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace pith::cli {

std::atomic<bool> interrupted{false};

namespace {

extern "C" void on_interrupt(int /*signal*/) {
  if (interrupted.exchange(true)) ::_exit(130);
}

}  // namespace

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void tell(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::update(std::string_view stage, double done, double total) {
  if (quiet_) return;
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  if (stage != stage_) {
    stage_ = stage;
    stage_started_ = now;
  }
  const auto since = [now](Clock::time_point then) {
    return std::chrono::duration<double>(now - then).count();
  };
  if (since(started_) < 2 || since(last_shown_) < (terminal_ ? 0.1 : 10.0) || total <= 0) return;
  last_shown_ = now;
  const double share = done / total;
  std::string text = fmt::format("{:<12} {:3.0f}%", stage_, 100 * share);
  if (share > 0.01 && share < 1)
    text += fmt::format("  about {} left", duration(since(stage_started_) * (1 - share) / share));
  tell(terminal_ ? "\r\x1b[K" + text : text + "\n");
  shown_ = true;
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  if (shown_ && terminal_) tell("\r\x1b[K");
  shown_ = false;
}

Run make_run(unsigned threads, ProgressLine& line) {
  return {.threads = threads,
          .progress = [&line](std::string_view stage, double done,
                              double total) { line.update(stage, done, total); },
          .cancelled = &interrupted};
}

}  // namespace pith::cli
