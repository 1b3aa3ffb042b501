#include "graph/approximate_neighbors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "graph/cell_meeting.h"
#include "graph/neighbor_search.h"
#include "graph/query_sweep.h"
#include "graph/reach_plan.h"

namespace pith {
namespace {

constexpr double error = 0.05;
constexpr std::size_t least_members = 250;  ///< of a cell, on average

/// Rows that met too few others to have a full list are searched for exactly.
void fill_up(NeighborSearch& search, const Run& run) {
  std::vector<Item> short_of;
  for (Item row = 0; row < search.rows(); ++row)
    if (search.table().candidates(row).size() < search.wanted()) short_of.push_back(row);
  constexpr std::size_t at_once = 4096;
  for (std::size_t first = 0; first < short_of.size(); first += at_once) {
    const auto some = std::span(short_of).subspan(first, std::min(at_once, short_of.size() - first));
    const auto nearest = exact_nearest_of(search, some, run);
    for (std::size_t at = 0; at < some.size(); ++at) search.table().hold(some[at], nearest[at]);
  }
}

/// So many items that a recall well above the one asked for shows.
std::size_t sample_for(double recall) {
  constexpr double most = 8000;
  return static_cast<std::size_t>(std::clamp(4 / std::max(1e-9, 1 - recall), 400.0, most));
}

/// A partition, how far rows must reach in it, and what that costs.
struct Plan {
  std::unique_ptr<const Cells> cells;
  CellReach reach;
  CellLoad load;
  double cost;
};

/// Finds the cheapest way to the recall asked for before anybody meets.
class Planner {
 public:
  Planner(NeighborSearch& search, std::uint32_t k, const ApproximateOptions& options,
          const TileKernel& products, const Run& run)
      : search_(search),
        options_(options),
        products_(products),
        run_(run),
        rows_(static_cast<double>(search.rows())),
        all_pairs_(options.persist ? std::numeric_limits<double>::infinity() : rows_ * rows_ / 2),
        check_(search, k, options.seed) {}

  /// Nothing where meeting everybody is expected to be quicker, or the only way.
  std::optional<Plan> choose() {
    const std::size_t sample = sample_for(options_.recall);
    if (rows_ * static_cast<double>(sample) >= all_pairs_ || search_.rows() < 2) return std::nullopt;
    check_.extend(search_, sample, run_);
    if (options_.cells != 0) return try_cells(options_.cells);
    std::optional<Plan> best;
    double growth = 1;  // of the places, from one number of cells to twice as many
    // Smaller cells save products, larger ones miss fewer neighbours: which matters more is up to the data.
    for (const std::size_t members : {4 * least_members, 2 * least_members, least_members}) {
      const std::size_t count = std::max<std::size_t>(1, search_.rows() / members);
      if (best && !may_pay(*best, count, growth)) break;
      std::optional<Plan> plan = try_cells(count);
      if (best && (!plan || plan->cost >= best->cost)) break;
      if (best) growth = std::max(1.0, plan->load.places / best->load.places);
      best = std::move(plan);
    }
    return best;
  }

  [[nodiscard]] const RecallCheck& check() const noexcept { return check_; }

 private:
  [[nodiscard]] CellCosts costs_of(std::size_t cells) const {
    return {rows_, static_cast<double>(search_.view().cols), static_cast<double>(cells),
            static_cast<double>(check_.sampled())};
  }

  /// Whether so many cells would be cheaper if rows had to join `growth` times as many of them.
  [[nodiscard]] bool may_pay(const Plan& best, std::size_t count, double growth) const {
    const double fewer = static_cast<double>(best.cells->count()) / static_cast<double>(count);
    const CellLoad load = {.places = best.load.places * growth,
                           .pairs = best.load.pairs * fewer * growth * growth};
    return costs_of(count).of(load) < 0.9 * best.cost;
  }

  std::optional<Plan> try_cells(std::size_t count) {
    auto cells = std::make_unique<const Cells>(search_.filter(), products_, search_.rows(),
                                               search_.view().cols, search_.facts().largest, count, run_);
    const CellCosts costs = costs_of(cells->count());
    // Another partition, like a larger sample, is another look; each may err by half of what is left.
    allowed_ /= 2;
    const auto found = choose_reach(*cells, costs);
    if (!found) return std::nullopt;
    return Plan{
        .cells = std::move(cells), .reach = found->reach, .load = found->load, .cost = costs.of(found->load)};
  }

  /// How far rows must reach, the sample being made larger where that pays.
  std::optional<ReachFinder::Found> choose_reach(const Cells& cells, const CellCosts& costs) {
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
        check_.extend(search_, more, run_);
        allowed_ /= 2;
        continue;
      }
      if (found) return costs.of(found->load) < all_pairs_ ? found : std::nullopt;
      if (places == cells.count() || costs.of(most) >= all_pairs_) return std::nullopt;
      places = std::min(cells.count(), 2 * places);
    }
  }

  NeighborSearch& search_;
  const ApproximateOptions& options_;
  const TileKernel& products_;
  const Run& run_;
  double rows_;
  double all_pairs_;
  RecallCheck check_;
  double allowed_ = error;
};

/// Nothing where meeting everybody is expected to be quicker, or the only way.
std::optional<ApproximateNeighbors> search_in_cells(const MatrixView& view, Metric metric, std::uint32_t k,
                                                    const ApproximateOptions& options, const Run& run,
                                                    const NeighborTuning& tuning) {
  NeighborTuning own = tuning;
  // A cell has hardly more candidates to offer than are wanted, so there need not be room for many more.
  if (own.slots == 0) own.slots = 2 * std::size_t{k};
  NeighborSearch search(view, metric, k, run, own);
  // Which cell is a row's nearest may well be decided by rounded products; for l1 too, whose own kernel has
  // none.
  const std::string& name = tuning.cell_kernel.empty() ? tuning.kernel : tuning.cell_kernel;
  Planner planner(search, k, options, find_kernel(name), run);
  const std::optional<Plan> plan = planner.choose();
  if (!plan) return std::nullopt;
  const Cells::Members members = plan->cells->members(plan->reach, run);
  CellMeeting meeting(search, members, run);
  meeting.meet();

  ApproximateNeighbors answer;
  answer.recall = estimate_recall(planner.check().measure(search, run), error);
  // The reach was chosen by this very sample: that it shows the recall asked for is certain enough, more is
  // not.
  answer.recall.low = std::min(answer.recall.low, options.recall);
  answer.cells = plan->cells->count();
  answer.places = static_cast<double>(members.rows.size()) / static_cast<double>(search.rows());
  fill_up(search, run);
  if (search.has_no_equal_rows()) {
    meeting.settle();
    answer.lists = search.settled_lists(run);
  } else {
    answer.lists = search.lists(run);
  }
  return answer;
}

}  // namespace

std::uint64_t approximate_memory(const MatrixView& view) {
  // A row's places in cells, twice while they are sorted, and how many it has.
  constexpr std::uint64_t usual_places = 2;
  const std::size_t cells = std::max<std::size_t>(1, view.rows / least_members);
  return view.rows * (2 * sizeof(Item) * usual_places + 5) +
         Cells::workspace_bytes(view.rows, view.cols, cells);
}

double approximate_pairs(const MatrixView& view) {
  constexpr double usual_places = 2;
  constexpr double members = 4 * least_members;
  const auto rows = static_cast<double>(view.rows);
  const double cells = std::max(1.0, rows / members);
  const CellLoad load{.places = usual_places, .pairs = std::min(1.0, usual_places * usual_places / cells)};
  const auto sampled = static_cast<double>(sample_for(0.95));
  return std::min(rows * rows / 2, CellCosts(rows, static_cast<double>(view.cols), cells, sampled).of(load));
}

ApproximateNeighbors approximate_neighbors(const MatrixView& view, Metric metric, std::uint32_t k,
                                           const ApproximateOptions& options, const Run& run,
                                           const NeighborTuning& tuning) {
  if (auto found = search_in_cells(view, metric, k, options, run, tuning)) return std::move(*found);
  ApproximateNeighbors answer;
  answer.lists = exact_neighbors(view, metric, k, run, tuning);
  answer.exact = true;
  return answer;
}

}  // namespace pith
