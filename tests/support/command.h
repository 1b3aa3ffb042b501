#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/files.h"
#include "support/temp_dir.h"

namespace pith::testing {

struct Outcome {
  int code = -1;  ///< as a shell gives it: 128 + n where signal n ended the process
  std::string out;
  std::string err;
};

using Arguments = std::vector<std::string>;

inline Arguments operator+(Arguments left, const Arguments& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// The built command, started without a shell, its two outputs going to files of its own. One that is still
/// running at the end is killed.
class Process {
 public:
  explicit Process(const Arguments& arguments, const std::string& folder = ".",
                   const std::string& out_to = "")
      : out_to_(out_to) {
    std::vector<char*> argv = {const_cast<char*>(PITH_COMMAND)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out().c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err().c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    const int problem = ::posix_spawn(&pid_, PITH_COMMAND, &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem != 0) throw std::runtime_error("cannot start " PITH_COMMAND);
  }
  ~Process() {
    if (ended_) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const { ::kill(pid_, signal); }
  [[nodiscard]] pid_t pid() const noexcept { return pid_; }

  /// Processor time used so far, in seconds: how a test sees that the work has begun.
  [[nodiscard]] double busy_seconds() const {
    const std::string stat = file_contents("/proc/" + std::to_string(pid_) + "/stat");
    const std::size_t name_end = stat.rfind(')');
    if (name_end == std::string::npos) return 0;
    long ticks = 0;
    std::size_t field = 2;  // the name is the second, user and system time are the 14th and 15th
    for (std::size_t at = name_end; at < stat.size(); ++at)
      if (stat[at] == ' ' && (++field == 14 || field == 15)) ticks += std::stol(stat.substr(at + 1));
    return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }

  [[nodiscard]] bool has_ended() {
    if (ended_) return true;
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
    ended_ = true;
    outcome_.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (out_to_.empty()) outcome_.out = file_contents(out());
    outcome_.err = file_contents(err());
    return true;
  }

  /// What came of it, or nothing where it still runs after `seconds`.
  std::optional<Outcome> wait(double seconds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!has_ended()) {
      if (std::chrono::steady_clock::now() > deadline) return std::nullopt;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return outcome_;
  }

 private:
  [[nodiscard]] std::string out() const { return out_to_.empty() ? outputs_.path("stdout") : out_to_; }
  [[nodiscard]] std::string err() const { return outputs_.path("stderr"); }

  TempDir outputs_;
  std::string out_to_;  ///< where standard output goes instead of being kept
  pid_t pid_ = -1;
  bool ended_ = false;
  Outcome outcome_;
};

/// Runs the command to its end. A command that takes two minutes hangs.
inline Outcome run_pith(const Arguments& arguments, const std::string& folder = ".") {
  const auto outcome = Process(arguments, folder).wait(120);
  if (!outcome) throw std::runtime_error("pith did not end");
  return *outcome;
}

}  // namespace pith::testing
