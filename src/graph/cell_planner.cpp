#include "graph/cell_planner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pith {

std::size_t recall_sample(double recall) {
  constexpr double most = 8000;
  return static_cast<std::size_t>(std::clamp(4 / std::max(1e-9, 1 - recall), 400.0, most));
}

CellPlanner::CellPlanner(NeighborSearch& search, std::uint32_t k, const ApproximateOptions& options,
                         const TileKernel& products, const Run& run, NearestFinder truth)
    : search_(search),
      options_(options),
      products_(products),
      run_(run),
      truth_(std::move(truth)),
      rows_(static_cast<double>(search.rows())),
      all_pairs_(options.persist ? std::numeric_limits<double>::infinity() : rows_ * rows_ / 2),
      check_(search, k, options.seed) {}

std::optional<CellPlan> CellPlanner::choose() {
  const std::size_t sample = recall_sample(options_.recall);
  if (rows_ * static_cast<double>(sample) >= all_pairs_ || search_.rows() < 2) return std::nullopt;
  check_.extend(search_, sample, truth_);
  if (options_.cells != 0) return try_cells(options_.cells);
  std::optional<CellPlan> best;
  double growth = 1;  // of the places, from one number of cells to twice as many
  // Smaller cells save products, larger ones miss fewer neighbours: which matters more is up to the data.
  for (const std::size_t members : {4 * least_cell_members, 2 * least_cell_members, least_cell_members}) {
    const std::size_t count = std::max<std::size_t>(1, search_.rows() / members);
    if (best && !may_pay(*best, count, growth)) break;
    std::optional<CellPlan> plan = try_cells(count);
    if (best && (!plan || plan->cost >= best->cost)) break;
    if (best) growth = std::max(1.0, plan->load.places / best->load.places);
    best = std::move(plan);
  }
  return best;
}

CellCosts CellPlanner::costs_of(std::size_t cells) const {
  return {rows_, static_cast<double>(search_.view().cols), static_cast<double>(cells),
          static_cast<double>(check_.sampled())};
}

bool CellPlanner::may_pay(const CellPlan& best, std::size_t count, double growth) const {
  const double fewer = static_cast<double>(best.cells->count()) / static_cast<double>(count);
  const CellLoad load = {.places = best.load.places * growth,
                         .pairs = best.load.pairs * fewer * growth * growth};
  return costs_of(count).of(load) < 0.9 * best.cost;
}

std::optional<CellPlan> CellPlanner::try_cells(std::size_t count) {
  auto cells =
      std::make_unique<const Cells>(search_.filter(), products_, search_.rows(), search_.view().cols,
                                    search_.filter().largest_prepared(search_.facts().largest), count, run_);
  const CellCosts costs = costs_of(cells->count());
  // Another partition, like a larger sample, is another look; each may err by half of what is left.
  allowed_ /= 2;
  const auto found = choose_reach(*cells, costs);
  if (!found) return std::nullopt;
  return CellPlan{
      .cells = std::move(cells), .reach = found->reach, .load = found->load, .cost = costs.of(found->load)};
}

std::optional<ReachFinder::Found> CellPlanner::choose_reach(const Cells& cells, const CellCosts& costs) {
  constexpr std::uint64_t larger = 3;
  constexpr std::size_t usual_places = 4;
  const double least = std::max(1.0, options_.places);
  std::size_t places = std::max(usual_places, static_cast<std::size_t>(std::ceil(least)));
  places = std::min(cells.count(), places);
  for (;;) {
    const ReachFinder finder(check_, search_, cells, places, run_);
    const auto found = finder.shortest(options_.recall, 2 * allowed_, least);
    const bool can_sample = check_.sampled() * larger <= check_.most();
    const auto with_more =
        can_sample ? finder.shortest(options_.recall, allowed_, least, larger) : std::nullopt;
    const std::size_t more = (larger - 1) * check_.sampled();
    // Twice the places, if these do not do, make four times the pairs.
    const CellLoad most = finder.most();
    const double cost = costs.of(found ? found->load : CellLoad{2 * most.places, 4 * most.pairs});
    if (with_more && cost - costs.of(with_more->load) > 1.5 * rows_ * static_cast<double>(more)) {
      check_.extend(search_, more, truth_);
      allowed_ /= 2;
      continue;
    }
    if (found) return costs.of(found->load) < all_pairs_ ? found : std::nullopt;
    if (places == cells.count() || costs.of(most) >= all_pairs_) return std::nullopt;
    // These reaches contain none of those that failed, and none of those them: another look.
    allowed_ /= 2;
    places = std::min(cells.count(), 2 * places);
  }
}

}  // namespace pith
