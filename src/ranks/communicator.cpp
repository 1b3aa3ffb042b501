#include "ranks/communicator.h"

#include <algorithm>

namespace pith {

void append_bytes(Packet& out, std::span<const std::byte> bytes) {
  const std::size_t at = out.size();
  out.resize(at + bytes.size());
  if (!bytes.empty()) std::memcpy(out.data() + at, bytes.data(), bytes.size());
}

std::vector<Packet> Communicator::all_gather(std::span<const std::byte> mine) {
  return all_to_all(std::vector<Packet>(static_cast<std::size_t>(size()), Packet(mine.begin(), mine.end())));
}

Packet Communicator::broadcast(Packet bytes, int root) {
  std::vector<Packet> outgoing(static_cast<std::size_t>(size()));
  if (rank() == root) {
    std::fill(outgoing.begin(), outgoing.end() - 1, bytes);
    outgoing.back() = std::move(bytes);
  }
  return all_to_all(std::move(outgoing))[static_cast<std::size_t>(root)];
}

void Communicator::sum(std::span<std::uint64_t> values) {
  const std::vector<Packet> all = all_gather(std::as_bytes(values));
  std::fill(values.begin(), values.end(), 0);
  for (const Packet& part : all) {
    const auto theirs = values_of<std::uint64_t>(part);
    for (std::size_t at = 0; at < values.size(); ++at) values[at] += theirs[at];
  }
}

void Communicator::largest(std::span<double> values) {
  for (const Packet& part : all_gather(std::as_bytes(values))) {
    const auto theirs = values_of<double>(part);
    for (std::size_t at = 0; at < values.size(); ++at) values[at] = std::max(values[at], theirs[at]);
  }
}

void Communicator::barrier() {
  static_cast<void>(all_gather({}));
}

}  // namespace pith
