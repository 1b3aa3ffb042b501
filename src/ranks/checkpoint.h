#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "pith/graph.h"
#include "ranks/rank_graph.h"
#include "ranks/ring_neighbors.h"
#include "strategy/greedy.h"

namespace pith {

/// Rows of the graph as they are saved, with where the graph came from.
struct SavedRows {
  GraphRows rows;
  GraphInfo info;
};

/// Picks settled so far, and how often the boundary caps had been raised for them.
struct SavedPicks {
  std::uint64_t raises = 0;
  std::vector<Pick> picks;
};

// As bytes, for files and for other ranks.
[[nodiscard]] Packet pack_info(const GraphInfo& info);
[[nodiscard]] GraphInfo unpack_info(std::span<const std::byte> bytes);
[[nodiscard]] Packet pack_picks(const SavedPicks& saved);
[[nodiscard]] SavedPicks unpack_picks(std::span<const std::byte> bytes);

/// What a selection across ranks saves as it goes, in a folder that all ranks see. Files say of which rows
/// they are, never of which rank, so that any number of ranks can go on from them. Each carries the identity
/// of the selection (input and options) and a checksum, and takes its place whole; one that is damaged or
/// of another selection is as good as none.
class Checkpoints {
 public:
  /// Saves nothing and finds nothing.
  Checkpoints() = default;
  /// `seconds`: least time between two saves of unfinished work.
  Checkpoints(std::string folder, std::string identity, double seconds);

  [[nodiscard]] bool active() const noexcept { return !folder_.empty(); }
  /// Whether it is time to save again. Looks at a clock: for when to save, never for what.
  [[nodiscard]] bool due() const;

  void save_met(const std::vector<MetRows>& known, std::uint32_t k);
  /// What is known of the rows from `begin` to `end`, in pieces that cover them all; empty where nothing is.
  [[nodiscard]] std::vector<MetRows> load_met(std::size_t begin, std::size_t end, std::uint32_t k) const;

  void save_rows(std::size_t begin, const SavedRows& rows);
  /// The rows from `begin` to `end`, where all of them are there.
  [[nodiscard]] std::optional<SavedRows> load_rows(std::size_t begin, std::size_t end) const;

  /// An approximate search: its plan, and what each rank has found by it.
  void save_plan(const Packet& plan);
  [[nodiscard]] std::optional<Packet> load_plan() const;
  void save_found(int rank, const Packet& found);
  /// All that was ever saved, shared out between `ranks`. A rank's own next save replaces only what it is
  /// given here.
  [[nodiscard]] std::vector<Packet> load_found(int rank, int ranks) const;

  /// Once all rows are saved: what led to them.
  void forget_search();

  void save_picks(const SavedPicks& picks);
  [[nodiscard]] std::optional<SavedPicks> load_picks() const;

  /// Once the result is written.
  void clear();

 private:
  void write(const std::string& name, const Packet& body);
  [[nodiscard]] std::optional<Packet> read(const std::string& name) const;

  using Clock = std::chrono::steady_clock;
  std::string folder_;
  std::string identity_;
  double seconds_ = 0;
  Clock::time_point last_ = Clock::now();
};

}  // namespace pith
