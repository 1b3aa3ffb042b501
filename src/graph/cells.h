#pragma once

#include <cstdint>
#include <span>
#include <utility>
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
  /// Nearest cells of every row, from the place `first` to before the place `last`, row by row.
  struct Nearest {
    std::size_t first = 0;
    std::size_t last = 0;
    std::vector<std::uint32_t> cells;
    std::vector<float> gaps;  ///< how much nearer than each the row's very nearest is
  };
  [[nodiscard]] Nearest find_nearest(std::size_t first, std::size_t last, const Run& run) const;

  /// Each row in its nearest `to` cells but the nearest `from` ones. A fraction stands for as many of the
  /// rows, those to whom the next cell is nearly as near as their nearest: 1.5 are the nearest cell of every
  /// row and the second nearest of the half that gains most from it. `nearest` must hold these places.
  [[nodiscard]] Members members(const Nearest& nearest, double from, double to) const;

 private:
  using Near = std::pair<float, std::uint32_t>;  ///< minus the score, and of whom

  /// What a thread compares rows with centres on.
  struct Desk {
    Panel panel;
    PackedPanel left;
    TileSide left_side;
    std::vector<float> scores;
    std::vector<Near> best;
    KernelScratch kernel_scratch;
  };

  void load(std::size_t first, std::size_t count, Panel& panel) const;
  void load_some(std::span<const Item> rows, std::vector<float>& out) const;
  /// Calls take(row, its nearest `last` of the others, nearest first) for each row.
  template <class Take>
  void nearest(const float* rows, std::size_t count, std::size_t last, const PackedPanel& others,
               const TileSide& other_side, Desk& desk, Take take) const;
  void measure_centres();
  /// Centres of their own at the given points, each the mean of the points nearest to its own.
  void start_at(std::span<const Item> seeds, std::span<const std::size_t> cells,
                const std::vector<float>& points, const Run& run);
  void even_out(const std::vector<std::vector<Item>>& points_of, const std::vector<float>& points, Rng& rng,
                const Run& run);

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
