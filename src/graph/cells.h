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
  /// Lloyd's algorithm on a sample. O(sample * cells * dimension) a round.
  Cells(const ScoreFilter& filter, std::size_t rows, std::size_t dimension, double largest, std::size_t cells,
        const Run& run);

  [[nodiscard]] std::size_t count() const noexcept { return count_; }

  /// Members of every cell: cell c holds rows[starts[c]] .. rows[starts[c + 1] - 1], ascending.
  struct Members {
    std::vector<std::uint64_t> starts;
    std::vector<Item> rows;
  };
  /// Those for whom the cell is one of their nearest, by places first_place .. first_place + places - 1.
  [[nodiscard]] Members members(std::size_t first_place, std::size_t places, const Run& run) const;

 private:
  void load(std::size_t first, std::size_t count, Panel& panel) const;
  void load_some(std::span<const Item> rows, std::vector<float>& out) const;
  /// The nearest `last` centres of each row, nearest first.
  void nearest(const float* rows, std::size_t count, std::size_t last, std::vector<float>& scores,
               std::uint32_t* out) const;
  void measure_centres();
  void even_out(const std::vector<std::vector<Item>>& points_of, const std::vector<float>& points, Rng& rng);

  const ScoreFilter& filter_;
  std::size_t rows_;
  std::size_t dimension_;
  float scale_;
  std::size_t count_;
  std::vector<float> centres_;
  std::vector<float> half_squares_;
};

}  // namespace pith
