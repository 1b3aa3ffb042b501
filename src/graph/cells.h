#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "graph/centre_index.h"
#include "graph/score_filter.h"
#include "pith/run.h"

namespace pith {

/// Which cells a row joins: its nearest one, and of the next nearest, up to so many in all, those that are
/// hardly farther.
struct CellReach {
  std::size_t places = 1;
  float gap = 0;  ///< the most by which one may be farther
};

/// Centres of a k-means partition of a filter's rows, in the space of its prepared rows (unit rows for the
/// cosine), and which of them lie near a row. The same for any number of threads.
class Cells {
 public:
  /// Lloyd's algorithm on a sample, products by `kernel`.
  Cells(const ScoreFilter& filter, const TileKernel& kernel, std::size_t rows, std::size_t dimension,
        double largest, std::size_t cells, const Run& run);

  /// With centres made before, of the same rows.
  Cells(const ScoreFilter& filter, const TileKernel& kernel, std::size_t rows, std::size_t dimension,
        double largest, std::vector<float> centres);

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] const std::vector<float>& centres() const noexcept { return centres_; }
  /// What making them takes: the sample, packed once more.
  [[nodiscard]] static std::uint64_t workspace_bytes(std::size_t rows, std::size_t dimension,
                                                     std::size_t cells) noexcept;
  /// What all threads together look up rows on while cells are made, at most.
  [[nodiscard]] static std::uint64_t desk_bytes(std::size_t rows, std::size_t dimension, std::size_t cells,
                                                unsigned threads);

  /// Nearest cells of some rows, `places` each, nearest first, row by row.
  struct Nearest {
    std::size_t places = 0;
    std::vector<std::uint32_t> cells;
    std::vector<float> gaps;  ///< how much nearer than each the row's very nearest is
  };
  [[nodiscard]] Nearest nearest_of(std::span<const Item> rows, std::size_t places, const Run& run) const;

  /// Members of every cell: cell c holds rows[starts[c]] .. rows[starts[c + 1] - 1], ascending.
  struct Members {
    std::vector<std::uint64_t> starts;
    std::vector<Item> rows;

    [[nodiscard]] std::size_t cells() const noexcept { return starts.size() - 1; }
    [[nodiscard]] std::span<const Item> of(std::size_t cell) const noexcept {
      return std::span(rows).subspan(starts[cell], starts[cell + 1] - starts[cell]);
    }
  };
  [[nodiscard]] Members members(const CellReach& reach, const Run& run) const;
  /// Of cells first .. last-1; the others are left empty.
  [[nodiscard]] Members members_of(std::uint32_t first, std::uint32_t last, const CellReach& reach,
                                   const Run& run) const;

  /// Which cells some consecutive rows join.
  struct Places {
    std::vector<std::uint32_t> counts;  ///< cells of each row
    /// The cells themselves, row by row, those of some rows together.
    static constexpr std::size_t rows_together = 256;
    std::vector<std::vector<std::uint32_t>> cells;

    /// visit(row, cell) of all, row by row from `first` on, while memory is given back.
    template <class Visit>
    void use_up(Item first, Visit visit) {
      for (std::size_t part = 0; part < cells.size(); ++part) {
        const std::size_t begin = part * rows_together;
        const std::size_t end = std::min(begin + rows_together, counts.size());
        auto cell = cells[part].begin();
        for (std::size_t row = begin; row < end; ++row)
          for (std::uint32_t place = 0; place < counts[row]; ++place)
            visit(first + static_cast<Item>(row), *cell++);
        std::vector<std::uint32_t>().swap(cells[part]);
      }
    }
  };
  /// Cells below `first_cell` or from `last_cell` on are left out.
  [[nodiscard]] Places places_of(std::size_t first, std::size_t last, const CellReach& reach, const Run& run,
                                 std::uint32_t first_cell = 0, std::uint32_t last_cell = 0xffffffff) const;

 private:
  void load(std::size_t first, std::size_t count, Panel& panel) const;
  void load_some(std::span<const Item> rows, std::vector<float>& out) const;
  /// Centres of their own at the given points, each the mean of the points nearest to its own.
  void start_at(std::span<const Item> seeds, std::span<const std::size_t> cells,
                const std::vector<float>& points, const Run& run);
  /// The mean of some points becomes a centre.
  void move_centre(std::size_t cell, std::span<const Item> its_points, const std::vector<float>& points);
  void even_out(const std::vector<std::vector<Item>>& points_of, const std::vector<float>& points, Rng& rng,
                const Run& run);

  const ScoreFilter& filter_;
  const TileKernel& kernel_;
  std::size_t rows_;
  std::size_t dimension_;
  float scale_;
  std::size_t count_;
  std::vector<float> centres_;
  CentreIndex index_;
};

}  // namespace pith
