#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "graph/candidates.h"
#include "graph/kernels/tile_kernel.h"
#include "graph/score_filter.h"
#include "pith/run.h"

namespace pith {

/// Meets the rows of a filter with each other, tile by tile of the upper triangle, every pair offered to both
/// its ends. Bars are read before a tile and may have risen by its end; candidates too many are all that
/// costs.
class PairSweep {
 public:
  /// `block_rows` 0: chosen by size. Everything given must outlive the sweep.
  PairSweep(const ScoreFilter& filter, const TileKernel& kernel, const ExactScorer& scorer,
            CandidateTable& table, std::size_t rows, std::size_t dimension, std::size_t block_rows,
            const Run& run);

  /// Rows of the largest block it would choose for so many columns.
  [[nodiscard]] static std::size_t largest_block(std::size_t dimension) noexcept;
  /// Bytes a thread holds with blocks so chosen, at most.
  [[nodiscard]] static std::uint64_t workspace_bytes(std::size_t rows, std::size_t dimension) noexcept;

  /// All pairs (i, j), i < j, of which j is at least `first_new`.
  void meet_all(std::size_t first_new);

 private:
  struct Range {
    std::size_t first;
    std::size_t count;
  };
  struct Panel {
    Range range;
    PackedPanel rows;
  };
  struct Worker {
    explicit Worker(const ExactScorer& its_scorer) : scorer(its_scorer) {}
    ExactScorer scorer;
    std::vector<float> scratch;
    std::vector<Panel> lefts;
    Panel right;
    TileSide left_side;
    TileSide right_side;
    std::vector<TileHit> hits;
    KernelScratch kernel_scratch;
  };
  /// Left blocks first .. first + count - 1 against the right blocks from `begin` to `end`, those not below
  /// the left.
  struct Task {
    std::size_t first;
    std::size_t count;
    std::size_t begin;
    std::size_t end;
  };

  [[nodiscard]] Range range_of(std::size_t block) const noexcept;
  void meet_within(std::size_t block, Worker& mine);
  void work_off(const Task& task, Worker& mine);
  void meet(const Panel& left, const Panel& right, std::size_t left_block, std::size_t right_block,
            Worker& mine);
  void report(double pairs);

  const ScoreFilter& filter_;
  const TileKernel& kernel_;
  CandidateTable& table_;
  std::size_t rows_;
  std::size_t block_;
  std::size_t blocks_;
  std::size_t lefts_;  ///< left blocks held at a time, so that a right block is packed for all of them
  std::size_t first_new_ = 0;
  const Run& run_;
  std::unique_ptr<std::mutex[]> locks_;  ///< of the table's rows, by block
  std::vector<std::unique_ptr<Worker>> workers_;
  std::mutex progress_mutex_;
  double pairs_done_ = 0;
  double pairs_in_all_ = 0;
};

}  // namespace pith
