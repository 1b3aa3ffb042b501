#include "mpi_communicator.h"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace pith {
namespace {

constexpr int passing_tag = 1;   ///< start_send() and start_receive()
constexpr int exchange_tag = 2;  ///< all_to_all()

/// MPI's own handler ends the job at an error; so no code comes back here.
class Requests final : public Transfer {
 public:
  Requests() = default;
  void send(std::span<const std::byte> bytes, int to, int tag, std::size_t piece) {
    for_each_piece(bytes.size(), piece, [&](std::size_t at, int count) {
      MPI_Isend(bytes.data() + at, count, MPI_BYTE, to, tag, MPI_COMM_WORLD, &add());
    });
  }
  void receive(std::span<std::byte> bytes, int from, int tag, std::size_t piece) {
    for_each_piece(bytes.size(), piece, [&](std::size_t at, int count) {
      MPI_Irecv(bytes.data() + at, count, MPI_BYTE, from, tag, MPI_COMM_WORLD, &add());
    });
  }
  void wait() override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }

 private:
  template <class Body>
  static void for_each_piece(std::size_t bytes, std::size_t piece, Body body) {
    for (std::size_t at = 0; at < bytes; at += piece) body(at, static_cast<int>(std::min(piece, bytes - at)));
  }
  MPI_Request& add() { return requests_.emplace_back(MPI_REQUEST_NULL); }
  std::vector<MPI_Request> requests_;
};

}  // namespace

MpiCommunicator::MpiCommunicator(int* argc, char*** argv, std::size_t piece_bytes)
    : piece_bytes_(piece_bytes) {
  int provided = 0;
  // Only the thread that holds the communicator calls MPI.
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
  MPI_Comm_size(here, &here_);
  MPI_Comm_free(&here);
}

MpiCommunicator::~MpiCommunicator() {
  MPI_Finalize();
}

std::unique_ptr<Transfer> MpiCommunicator::start_send(int to, std::span<const std::byte> bytes) {
  auto requests = std::make_unique<Requests>();
  requests->send(bytes, to, passing_tag, piece_bytes_);
  return requests;
}

std::unique_ptr<Transfer> MpiCommunicator::start_receive(int from, std::span<std::byte> bytes) {
  auto requests = std::make_unique<Requests>();
  requests->receive(bytes, from, passing_tag, piece_bytes_);
  return requests;
}

std::vector<Packet> MpiCommunicator::all_to_all(std::vector<Packet> outgoing) {
  std::vector<std::uint64_t> sizes;
  sizes.reserve(outgoing.size());
  for (const Packet& bytes : outgoing) sizes.push_back(bytes.size());
  std::vector<std::uint64_t> their_sizes(sizes.size());
  MPI_Alltoall(sizes.data(), 1, MPI_UINT64_T, their_sizes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  std::vector<Packet> incoming(sizes.size());
  Requests requests;
  for (int other = 0; other < size_; ++other) {
    const auto at = static_cast<std::size_t>(other);
    if (other == rank_) continue;
    incoming[at].resize(their_sizes[at]);
    requests.receive(incoming[at], other, exchange_tag, piece_bytes_);
  }
  for (int other = 0; other < size_; ++other)
    if (other != rank_)
      requests.send(outgoing[static_cast<std::size_t>(other)], other, exchange_tag, piece_bytes_);
  requests.wait();
  incoming[static_cast<std::size_t>(rank_)] = std::move(outgoing[static_cast<std::size_t>(rank_)]);
  return incoming;
}

std::vector<Packet> MpiCommunicator::all_gather(std::span<const std::byte> mine) {
  const std::uint64_t size = mine.size();
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size_));
  MPI_Allgather(&size, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD);
  std::uint64_t total = 0;
  for (const std::uint64_t one : sizes) total += one;
  if (total > std::min<std::uint64_t>(piece_bytes_, std::numeric_limits<int>::max()))
    return Communicator::all_gather(mine);
  std::vector<int> counts;
  std::vector<int> places;
  for (const std::uint64_t one : sizes) {
    places.push_back(counts.empty() ? 0 : places.back() + counts.back());
    counts.push_back(static_cast<int>(one));
  }
  Packet all(total);
  MPI_Allgatherv(mine.data(), static_cast<int>(size), MPI_BYTE, all.data(), counts.data(), places.data(),
                 MPI_BYTE, MPI_COMM_WORLD);
  std::vector<Packet> parts;
  for (std::size_t at = 0; at < sizes.size(); ++at)
    parts.emplace_back(all.begin() + places[at], all.begin() + places[at] + counts[at]);
  return parts;
}

void MpiCommunicator::sum(std::span<std::uint64_t> values) {
  constexpr std::size_t piece = std::size_t{1} << 24;
  for (std::size_t at = 0; at < values.size(); at += piece)
    MPI_Allreduce(MPI_IN_PLACE, values.data() + at, static_cast<int>(std::min(piece, values.size() - at)),
                  MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

void MpiCommunicator::largest(std::span<double> values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                MPI_COMM_WORLD);
}

void MpiCommunicator::barrier() {
  MPI_Barrier(MPI_COMM_WORLD);
}

void MpiCommunicator::abort(int exit_code, const std::string& reason) {
  if (!reason.empty()) ::dprintf(voice_, "pith: rank %d of %d: %s\n", rank_, size_, reason.c_str());
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

}  // namespace pith
