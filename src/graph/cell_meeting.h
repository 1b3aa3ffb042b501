#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include "graph/cells.h"
#include "graph/neighbor_search.h"

namespace pith {

/// Everybody meets everybody within each cell, by the kernels of the exact search: afterwards the search's
/// table holds of every row all that are among its nearest of those it shares a cell with.
class CellMeeting {
 public:
  /// Both must outlive this.
  CellMeeting(NeighborSearch& search, const Cells::Members& members, const Run& run)
      : search_(search),
        members_(members),
        run_(run),
        locks_(std::make_unique<std::mutex[]>(search.rows() / stripe + 1)) {}

  /// What a thread meets the rows of a cell on, at most.
  [[nodiscard]] static std::uint64_t desk_bytes(std::size_t members, std::size_t dimension) noexcept;

  /// In all cells.
  void meet();
  /// In some of them, largest first. `between` is called now and then, while nobody meets, with those done.
  void meet(std::vector<std::size_t> cells,
            const std::function<void(std::span<const std::size_t> done)>& between = {});
  /// Ranks what the table holds of every row, cell by cell: nearly all of a row's neighbours share one with
  /// it.
  void settle();

 private:
  struct Desk;

  void meet_within(std::span<const Item> rows, Desk& desk);
  void meet_at_once(const ScoreFilter& filter, std::size_t count, Desk& desk) const;
  void meet_by_rows(const ScoreFilter& filter, std::size_t count, Desk& desk) const;
  static void note_row(const ScoreFilter& filter, std::size_t row, std::size_t count, float widest,
                       float* values, std::size_t room, Desk& desk);
  template <class Body>
  void for_each_locked(std::span<const Item> rows, Body body);

  static constexpr std::size_t stripe = 256;  ///< rows that share a lock
  NeighborSearch& search_;
  const Cells::Members& members_;
  const Run& run_;
  std::unique_ptr<std::mutex[]> locks_;
};

}  // namespace pith
