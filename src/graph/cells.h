#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "graph/score_filter.h"
#include "pith/run.h"

namespace pith {

/// Centres of a k-means partition of a filter's rows, in the space of its prepared rows (unit rows for the
/// cosine), and which of them lie near a row. The same for any number of threads.
class Cells {
 public:
  /// Lloyd's algorithm on a sample, products by `kernel`. O(sample * cells * dimension) a round.
  Cells(const ScoreFilter& filter, const TileKernel& kernel, std::size_t rows, std::size_t dimension,
        double largest, std::size_t cells, const Run& run);

  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  /// Members of every cell: cell c holds rows[starts[c]] .. rows[starts[c + 1] - 1], ascending.
  struct Members {
    std::vector<std::uint64_t> starts;
    std::vector<Item> rows;
  };
  /// Each row in its nearest `to` cells but the nearest `from` ones. A fraction stands for as many of the
  /// rows, those to whom the next cell is nearly as near as their nearest: 1.5 are the nearest cell of every
  /// row and the second nearest of the half that gains most from it.
  [[nodiscard]] Members members(double from, double to, const Run& run) const;

 private:
  /// What a thread compares rows with centres on.
  struct Desk {
    Panel panel;
    PackedPanel left;
    TileSide left_side;
    std::vector<float> scores;
    std::vector<std::pair<float, std::uint32_t>> best;
    KernelScratch kernel_scratch;
  };

  void load(std::size_t first, std::size_t count, Panel& panel) const;
  void load_some(std::span<const Item> rows, std::vector<float>& out) const;
  /// The nearest `last` centres of each row, nearest first, and how much nearer than each of them the first
  /// is.
  void nearest(const float* rows, std::size_t count, std::size_t last, Desk& desk, std::uint32_t* out,
               float* gaps) const;
  void measure_centres();
  void even_out(const std::vector<std::vector<Item>>& points_of, const std::vector<float>& points, Rng& rng);

  const ScoreFilter& filter_;
  const TileKernel& kernel_;
  std::size_t rows_;
  std::size_t dimension_;
  float scale_;
  std::size_t count_;
  std::vector<float> centres_;
  PackedPanel packed_centres_;
  TileSide centre_side_;  ///< half the squared length of each centre
};

}  // namespace pith
