#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stdexcept>

#include "ranks/communicator.h"

namespace pith {

/// A rank was waiting when another one ended the job.
class JobAborted : public std::runtime_error {
 public:
  explicit JobAborted(const std::string& reason) : std::runtime_error(reason) {}
};

/// Mailboxes for ranks that are threads of one process. Nobody spins: who waits, sleeps.
class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : rooms_(static_cast<std::size_t>(size)) {
    for (Room& room : rooms_) room.boxes.resize(rooms_.size());
  }

  [[nodiscard]] int size() const noexcept { return static_cast<int>(rooms_.size()); }
  void post(int from, int to, Packet message);
  /// The next message from one rank to another; throws JobAborted once the job has ended.
  [[nodiscard]] Packet take(int from, int to);
  void abort(const std::string& reason);

 private:
  /// What one rank receives, by sender.
  struct Room {
    std::mutex mutex;
    std::condition_variable arrived;
    std::vector<std::deque<Packet>> boxes;
    bool aborted = false;
    std::string reason;
  };
  std::vector<Room> rooms_;
};

/// The in-process twin of ranks that are processes.
class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(ThreadRanks& ranks, int rank) : ranks_(ranks), rank_(rank) {}
  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return ranks_.size(); }
  [[nodiscard]] std::unique_ptr<Transfer> start_send(int to, std::span<const std::byte> bytes) override;
  [[nodiscard]] std::unique_ptr<Transfer> start_receive(int from, std::span<std::byte> bytes) override;
  [[nodiscard]] std::vector<Packet> all_to_all(std::vector<Packet> outgoing) override;
  [[noreturn]] void abort(int exit_code, const std::string& reason) override;

 private:
  ThreadRanks& ranks_;
  int rank_;
};

/// Runs `body` once a rank, each in a thread of its own, and waits for all. A body that throws ends the job;
/// its exception is rethrown here, the lowest rank's where several threw of their own.
void run_ranks(int size, const std::function<void(Communicator&)>& body);

}  // namespace pith
