#pragma once

#include "ranks/communicator.h"

namespace pith {

/// Ranks that are processes started together, by mpirun or srun. One a process: it begins MPI, and ends it
/// when it goes. Messages of any size: MPI counts in int, so long ones go in pieces.
class MpiCommunicator final : public Communicator {
 public:
  /// `piece_bytes`: most that is sent as one message.
  MpiCommunicator(int* argc, char*** argv, std::size_t piece_bytes = std::size_t{1} << 30);
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  [[nodiscard]] int rank() const noexcept override { return rank_; }
  [[nodiscard]] int size() const noexcept override { return size_; }
  [[nodiscard]] std::unique_ptr<Transfer> start_send(int to, std::span<const std::byte> bytes) override;
  [[nodiscard]] std::unique_ptr<Transfer> start_receive(int from, std::span<std::byte> bytes) override;
  [[nodiscard]] std::vector<Packet> all_to_all(std::vector<Packet> outgoing) override;
  [[nodiscard]] std::vector<Packet> all_gather(std::span<const std::byte> mine) override;
  void sum(std::span<std::uint64_t> values) override;
  void largest(std::span<double> values) override;
  void barrier() override;
  [[noreturn]] void abort(int exit_code, const std::string& reason) override;

  /// Ranks on this rank's machine.
  [[nodiscard]] int ranks_here() const noexcept { return here_; }
  /// Where abort() says why, once standard error goes elsewhere.
  void keep_voice(int descriptor) noexcept { voice_ = descriptor; }

 private:
  std::size_t piece_bytes_;
  int rank_ = 0;
  int size_ = 1;
  int here_ = 1;
  int voice_ = 2;
};

}  // namespace pith
