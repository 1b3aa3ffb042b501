#include "graph/approximate_neighbors.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "graph/cell_meeting.h"
#include "graph/cell_planner.h"
#include "graph/neighbor_search.h"
#include "graph/pair_sweep.h"
#include "graph/query_sweep.h"
#include "graph/reach_plan.h"

namespace pith {

void fill_up(NeighborSearch& search, std::span<const Item> rows, const Run& run) {
  std::vector<Item> short_of;
  for (const Item row : rows)
    if (search.table().candidates(row).size() < search.wanted()) short_of.push_back(row);
  constexpr std::size_t at_once = 4096;
  for (std::size_t first = 0; first < short_of.size(); first += at_once) {
    const auto some = std::span(short_of).subspan(first, std::min(at_once, short_of.size() - first));
    const auto nearest = exact_nearest_of(search, some, run);
    for (std::size_t at = 0; at < some.size(); ++at) search.table().hold(some[at], nearest[at]);
  }
}

NeighborTuning tuning_for_cells(NeighborTuning tuning, std::uint32_t k) {
  // A cell has hardly more candidates to offer than are wanted, so there need not be room for many more.
  if (tuning.slots == 0) tuning.slots = 2 * std::size_t{k};
  // Which cell is a row's nearest may well be decided by rounded products; for l1 too, whose own kernel has
  // none.
  if (tuning.cell_kernel.empty()) tuning.cell_kernel = tuning.kernel;
  return tuning;
}

RecallEstimate recall_met(const std::vector<std::uint64_t>& found, double asked) {
  RecallEstimate recall = estimate_recall(found, recall_error);
  // The reach was chosen by this very sample: that it shows the recall asked for is certain enough, more is
  // not.
  recall.low = std::min(recall.low, asked);
  return recall;
}

namespace {

/// Nothing where meeting everybody is expected to be quicker, or the only way.
std::optional<ApproximateNeighbors> search_in_cells(const MatrixView& view, Metric metric, std::uint32_t k,
                                                    const ApproximateOptions& options, const Run& run,
                                                    const NeighborTuning& tuning) {
  const NeighborTuning own = tuning_for_cells(tuning, k);
  NeighborSearch search(view, metric, k, run, own);
  CellPlanner planner(search, k, options, find_kernel(own.cell_kernel), run,
                      [&](std::span<const Item> queries) { return exact_nearest_of(search, queries, run); });
  const std::optional<CellPlan> plan = planner.choose();
  if (!plan) return std::nullopt;
  const std::size_t rounds =
      own.most_places == 0
          ? 1
          : static_cast<std::size_t>(std::ceil(plan->load.places / static_cast<double>(own.most_places)));
  ApproximateNeighbors answer;
  Cells::Members members;
  for (std::size_t round = 0; round < rounds; ++round) {
    members = {};
    const auto bound = [&](std::size_t at) {
      return static_cast<std::uint32_t>(plan->cells->count() * at / rounds);
    };
    members = plan->cells->members_of(bound(round), bound(round + 1), plan->reach, run);
    Run part = run;
    part.progress = [&](std::string_view stage, double done, double all) {
      run.report(stage, static_cast<double>(round) + done / all, static_cast<double>(rounds));
    };
    CellMeeting(search, members, part).meet();
    answer.places += static_cast<double>(members.rows.size()) / static_cast<double>(search.rows());
  }
  answer.recall = recall_met(planner.check().measure(search, run), options.recall);
  answer.cells = plan->cells->count();
  std::vector<Item> all(search.rows());
  std::iota(all.begin(), all.end(), Item{0});
  fill_up(search, all, run);
  if (rounds == 1 && search.has_no_equal_rows()) {
    CellMeeting(search, members, run).settle();
    answer.lists = search.settled_lists(run);
  } else {
    answer.lists = search.lists(run);
  }
  return answer;
}

constexpr std::size_t usual_places = 2;
constexpr std::size_t usual_members = 4 * least_cell_members;

}  // namespace

std::uint64_t approximate_memory(const MatrixView& view, std::size_t places, unsigned threads) {
  const std::size_t cells = std::max<std::size_t>(1, view.rows / least_cell_members);
  // Cells are of about the same size; the largest ones come first, one for each thread.
  const std::size_t largest_cell = std::min(view.rows, 2 * usual_places * usual_members);
  const std::uint64_t desks = std::max(Cells::desk_bytes(view.rows, view.cols, cells, threads),
                                       threads * CellMeeting::desk_bytes(largest_cell, view.cols));
  // All pairs are met only once nobody meets in cells any more.
  const std::uint64_t of_the_exact = threads * PairSweep::workspace_bytes(view.rows, view.cols);
  // A row's places in cells, twice while they are sorted, and how many it has.
  return view.rows * (2 * sizeof(Item) * places + 5) + Cells::workspace_bytes(view.rows, view.cols, cells) +
         desks - std::min(desks, of_the_exact);
}

double approximate_pairs(const MatrixView& view) {
  constexpr auto places = static_cast<double>(usual_places);
  const auto rows = static_cast<double>(view.rows);
  const double cells = std::max(1.0, rows / static_cast<double>(usual_members));
  const CellLoad load{.places = places, .pairs = std::min(1.0, places * places / cells)};
  const auto sampled = static_cast<double>(recall_sample(0.95));
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
