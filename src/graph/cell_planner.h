#pragma once

#include <memory>
#include <optional>

#include "graph/approximate_neighbors.h"
#include "graph/cells.h"
#include "graph/reach_plan.h"
#include "graph/recall_check.h"

namespace pith {

constexpr double recall_error = 0.05;            ///< of the interval around a recall
constexpr std::size_t least_cell_members = 250;  ///< on average

/// So many items that a recall well above the one asked for shows.
[[nodiscard]] std::size_t recall_sample(double recall);

/// A partition, how far rows must reach in it, and what that costs.
struct CellPlan {
  std::unique_ptr<const Cells> cells;
  CellReach reach;
  CellLoad load;
  double cost;
};

/// Finds the cheapest way to the recall asked for before anybody meets.
class CellPlanner {
 public:
  /// `products` assign rows to cells; `truth` finds the neighbours of the rows that recall is measured on.
  /// All must outlive this.
  CellPlanner(NeighborSearch& search, std::uint32_t k, const ApproximateOptions& options,
              const TileKernel& products, const Run& run, NearestFinder truth);

  /// Nothing where meeting everybody is expected to be quicker, or the only way.
  [[nodiscard]] std::optional<CellPlan> choose();
  /// Instead of choosing, where a plan is known from before: the sample it was made by, whose truth is known
  /// too.
  void remember(std::size_t sampled, const NearestFinder& known) { check_.extend(search_, sampled, known); }
  [[nodiscard]] const RecallCheck& check() const noexcept { return check_; }

 private:
  [[nodiscard]] CellCosts costs_of(std::size_t cells) const;
  /// Whether so many cells would be cheaper if rows had to join `growth` times as many of them.
  [[nodiscard]] bool may_pay(const CellPlan& best, std::size_t count, double growth) const;
  std::optional<CellPlan> try_cells(std::size_t count);
  /// How far rows must reach, the sample being made larger where that pays.
  std::optional<ReachFinder::Found> choose_reach(const Cells& cells, const CellCosts& costs);

  NeighborSearch& search_;
  const ApproximateOptions& options_;
  const TileKernel& products_;
  const Run& run_;
  NearestFinder truth_;
  double rows_;
  double all_pairs_;
  RecallCheck check_;
  double allowed_ = recall_error;
};

}  // namespace pith
