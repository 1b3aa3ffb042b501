#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace pith {

using Packet = std::vector<std::byte>;

/// A transfer that was started. It must be waited for before its memory is touched again, before the next
/// collective call, and before it is destroyed, unless the job has been aborted.
class Transfer {
 public:
  virtual ~Transfer() = default;
  virtual void wait() = 0;
};

/// Some ranks, all running the same program, each knowing which one it is. Collective members must be called
/// by all ranks in the same order. Messages between two ranks arrive in the order they were sent.
///
/// All sums are over integers and all else is a minimum or maximum, so results do not depend on the order in
/// which ranks are combined.
class Communicator {
 public:
  virtual ~Communicator() = default;
  [[nodiscard]] virtual int rank() const noexcept = 0;
  [[nodiscard]] virtual int size() const noexcept = 0;

  /// `bytes` must stay as they are until the transfer has been waited for.
  [[nodiscard]] virtual std::unique_ptr<Transfer> start_send(int to, std::span<const std::byte> bytes) = 0;
  /// Exactly as many bytes as were sent.
  [[nodiscard]] virtual std::unique_ptr<Transfer> start_receive(int from, std::span<std::byte> bytes) = 0;

  /// outgoing[r] goes to rank r; what rank r had for this one comes back in place r.
  [[nodiscard]] virtual std::vector<Packet> all_to_all(std::vector<Packet> outgoing) = 0;
  /// What every rank gives, by rank.
  [[nodiscard]] virtual std::vector<Packet> all_gather(std::span<const std::byte> mine);
  /// What the root gives, everywhere.
  [[nodiscard]] virtual Packet broadcast(Packet bytes, int root);
  /// Element by element.
  virtual void sum(std::span<std::uint64_t> values);
  virtual void largest(std::span<double> values);
  virtual void barrier();

  /// Ends the whole job, now, without the others' help: ranks that wait for this one must not hang.
  [[noreturn]] virtual void abort(int exit_code, const std::string& reason) = 0;

  [[nodiscard]] bool is_first() const noexcept { return rank() == 0; }
};

template <class T>
[[nodiscard]] std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span(values));
}

void append_bytes(Packet& out, std::span<const std::byte> bytes);

template <class T>
void append_value(Packet& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  append_bytes(out, std::as_bytes(std::span(&value, 1)));
}

template <class T>
[[nodiscard]] std::vector<T> values_of(std::span<const std::byte> bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// What all ranks give, one after the other.
template <class T>
[[nodiscard]] std::vector<T> gather_all(Communicator& ranks, const std::vector<T>& mine) {
  std::vector<T> all;
  for (const Packet& part : ranks.all_gather(bytes_of(mine))) {
    const std::vector<T> values = values_of<T>(part);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

/// outgoing[r] to rank r; what came, by rank.
template <class T>
[[nodiscard]] std::vector<std::vector<T>> swap_between(Communicator& ranks,
                                                       const std::vector<std::vector<T>>& outgoing) {
  std::vector<Packet> bytes;
  bytes.reserve(outgoing.size());
  for (const std::vector<T>& values : outgoing) {
    const auto view = bytes_of(values);
    bytes.emplace_back(view.begin(), view.end());
  }
  std::vector<std::vector<T>> incoming;
  for (const Packet& part : ranks.all_to_all(std::move(bytes))) incoming.push_back(values_of<T>(part));
  return incoming;
}

[[nodiscard]] inline std::uint64_t sum_of(Communicator& ranks, std::uint64_t mine) {
  ranks.sum({&mine, 1});
  return mine;
}
[[nodiscard]] inline double largest_of(Communicator& ranks, double mine) {
  ranks.largest({&mine, 1});
  return mine;
}

}  // namespace pith
