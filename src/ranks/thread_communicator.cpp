#include "ranks/thread_communicator.h"

#include <algorithm>
#include <exception>
#include <thread>

namespace pith {
namespace {

class Sent final : public Transfer {
 public:
  void wait() override {}
};

class Receiving final : public Transfer {
 public:
  Receiving(ThreadRanks& ranks, int from, int to, std::span<std::byte> out)
      : ranks_(ranks), from_(from), to_(to), out_(out) {}
  void wait() override {
    const Packet message = ranks_.take(from_, to_);
    if (message.size() != out_.size())
      throw std::logic_error("a message of another size than the receiver waits for");
    std::copy(message.begin(), message.end(), out_.begin());
  }

 private:
  ThreadRanks& ranks_;
  int from_;
  int to_;
  std::span<std::byte> out_;
};

}  // namespace

void ThreadRanks::post(int from, int to, Packet message) {
  Room& room = rooms_[static_cast<std::size_t>(to)];
  {
    const std::lock_guard lock(room.mutex);
    room.boxes[static_cast<std::size_t>(from)].push_back(std::move(message));
  }
  room.arrived.notify_one();
}

Packet ThreadRanks::take(int from, int to) {
  Room& room = rooms_[static_cast<std::size_t>(to)];
  std::unique_lock lock(room.mutex);
  auto& box = room.boxes[static_cast<std::size_t>(from)];
  room.arrived.wait(lock, [&] { return room.aborted || !box.empty(); });
  if (room.aborted) throw JobAborted(room.reason);
  Packet message = std::move(box.front());
  box.pop_front();
  return message;
}

void ThreadRanks::abort(const std::string& reason) {
  for (Room& room : rooms_) {
    {
      const std::lock_guard lock(room.mutex);
      if (!room.aborted) room.reason = reason;
      room.aborted = true;
    }
    room.arrived.notify_all();
  }
}

std::unique_ptr<Transfer> ThreadCommunicator::start_send(int to, std::span<const std::byte> bytes) {
  ranks_.post(rank_, to, Packet(bytes.begin(), bytes.end()));
  return std::make_unique<Sent>();
}

std::unique_ptr<Transfer> ThreadCommunicator::start_receive(int from, std::span<std::byte> bytes) {
  return std::make_unique<Receiving>(ranks_, from, rank_, bytes);
}

std::vector<Packet> ThreadCommunicator::all_to_all(std::vector<Packet> outgoing) {
  for (int to = 0; to < size(); ++to)
    ranks_.post(rank_, to, std::move(outgoing[static_cast<std::size_t>(to)]));
  std::vector<Packet> incoming;
  incoming.reserve(outgoing.size());
  for (int from = 0; from < size(); ++from) incoming.push_back(ranks_.take(from, rank_));
  return incoming;
}

void ThreadCommunicator::abort(int /*exit_code*/, const std::string& reason) {
  ranks_.abort(reason);
  throw JobAborted(reason);
}

void run_ranks(int size, const std::function<void(Communicator&)>& body) {
  ThreadRanks ranks(size);
  std::vector<std::exception_ptr> own(static_cast<std::size_t>(size));
  std::vector<std::exception_ptr> woken(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      try {
        ThreadCommunicator communicator(ranks, rank);
        body(communicator);
      } catch (const JobAborted& aborted) {
        woken[static_cast<std::size_t>(rank)] = std::current_exception();
        ranks.abort(aborted.what());
      } catch (...) {
        own[static_cast<std::size_t>(rank)] = std::current_exception();
        ranks.abort("another rank failed");
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto* thrown : {&own, &woken})
    for (const std::exception_ptr& one : *thrown)
      if (one) std::rethrow_exception(one);
}

}  // namespace pith
