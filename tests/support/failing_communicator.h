#pragma once

#include <cstdint>
#include <stdexcept>

#include "ranks/communicator.h"

namespace pith::testing {

/// A rank that dies at its n-th exchange with others.
class FailingCommunicator final : public Communicator {
 public:
  FailingCommunicator(Communicator& ranks, std::uint64_t exchanges_left)
      : ranks_(ranks), left_(exchanges_left) {}
  [[nodiscard]] int rank() const noexcept override { return ranks_.rank(); }
  [[nodiscard]] int size() const noexcept override { return ranks_.size(); }
  [[nodiscard]] std::unique_ptr<Transfer> start_send(int to, std::span<const std::byte> bytes) override {
    count_down();
    return ranks_.start_send(to, bytes);
  }
  [[nodiscard]] std::unique_ptr<Transfer> start_receive(int from, std::span<std::byte> bytes) override {
    return ranks_.start_receive(from, bytes);
  }
  [[nodiscard]] std::vector<Packet> all_to_all(std::vector<Packet> outgoing) override {
    count_down();
    return ranks_.all_to_all(std::move(outgoing));
  }
  [[noreturn]] void abort(int exit_code, const std::string& reason) override {
    ranks_.abort(exit_code, reason);
    __builtin_unreachable();
  }

 private:
  void count_down() {
    if (left_-- == 0) throw std::runtime_error("killed");
  }
  Communicator& ranks_;
  std::uint64_t left_;
};

}  // namespace pith::testing
