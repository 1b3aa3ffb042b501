#include "graph/find_neighbors.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/in_words.h"
#include "graph/kernels/tile_kernel.h"
#include "graph/pair_sweep.h"
#include "pith/error.h"

namespace pith {
namespace {

// What a search costs, by rule of thumb: multiply-adds at the speed of two cores with wide registers. No
// clock and no count of threads enters, so that the same data gets the same kind of graph everywhere.
constexpr double multiply_adds_a_second = 1e11;
constexpr double patience_seconds = 60;
constexpr unsigned usual_threads = 2;
/// The same for what a plan foretells, which decides nothing, by the speeds measured in docs/scale.md.
struct PlannedSpeed {
  std::string_view kernel;
  double all_pairs;  ///< multiply-adds a second
  double in_cells;   ///< likewise, where products are the lesser part
};
constexpr PlannedSpeed planned_speeds[] = {
    {"amx", 1e12, 1.25e11},
    {"avx512bf16", 1.9e11, 0.875e11},
    {"avx512", 1.5e11, 0.875e11},
    {"avx2", 0.8e11, 0.65e11},
};
/// Beyond the products of all pairs: sorting out a pair, and settling the candidates of a row.
constexpr double planned_seconds_a_pair = 6e-11;
constexpr double planned_seconds_a_row = 4e-6;
constexpr double planned_seconds_a_number = 1.8e-8;

PlannedSpeed planned_speed() {
  const std::string_view name = find_kernel().name();
  const auto* const found = std::find_if(std::begin(planned_speeds), std::end(planned_speeds),
                                         [&](const PlannedSpeed& speed) { return speed.kernel == name; });
  return found == std::end(planned_speeds) ? planned_speeds[3] : *found;
}

double planned_seconds(const MatrixView& view, bool all_pairs, unsigned threads) {
  const auto n = static_cast<double>(view.rows);
  const auto dimension = static_cast<double>(view.cols);
  const PlannedSpeed speed = planned_speed();
  const double seconds = all_pairs ? n * n / 2 * (dimension / speed.all_pairs + planned_seconds_a_pair) +
                                         n * (planned_seconds_a_row + dimension * planned_seconds_a_number)
                                   : approximate_pairs(view) * dimension / speed.in_cells;
  return seconds * usual_threads / std::max(1U, threads);
}

constexpr std::size_t most_places = 8;  ///< that an approximate search makes room for

double seconds_for_all_pairs(const MatrixView& view) noexcept {
  const auto n = static_cast<double>(view.rows);
  return n * n / 2 * static_cast<double>(view.cols) / multiply_adds_a_second;
}

/// How many candidates an item may have within the memory allowed.
NeighborTuning tuning_within(const MatrixView& view, const GraphOptions& options, std::uint32_t k,
                             const Run& run) {
  const NeighborPlan plan = plan_neighbors(view, options, k, run.thread_count());
  if (options.memory_bytes && plan.bytes > *options.memory_bytes)
    throw Error(ErrorKind::bad_option,
                fmt::format("--memory: {} allowed, but {} items with {} neighbours each take {}; allow as "
                            "much, use fewer threads, or ask for fewer neighbours",
                            bytes_in_words(*options.memory_bytes), view.rows, k, bytes_in_words(plan.bytes)));
  NeighborTuning tuning;
  tuning.slots = plan.slots;
  tuning.most_places = plan.places;
  return tuning;
}

FoundNeighbors exact(NeighborLists lists, std::string reason) {
  return {.lists = std::move(lists),
          .method = "exact",
          .recall = 1.0,
          .recall_interval = {},
          .reason = std::move(reason)};
}

/// As far as sizes decide that.
bool meets_all_pairs(const MatrixView& view, const GraphOptions& options) noexcept {
  return options.knn == Knn::exact ||
         (options.knn == Knn::automatic && seconds_for_all_pairs(view) <= patience_seconds);
}

}  // namespace

std::uint64_t neighbor_memory(const MatrixView& view, std::uint32_t k, std::size_t slots, unsigned threads) {
  // The table and what is known of every row, or lists and graph: whichever is more.
  const std::uint64_t search = 8 * slots + 48;
  const std::uint64_t graph = 24 * std::uint64_t{k} + 16;
  const std::uint64_t workspace = (8U << 20) + threads * PairSweep::workspace_bytes(view.rows, view.cols);
  // Far from wrapping, however many neighbours are asked for.
  constexpr std::uint64_t beyond_any_machine = std::uint64_t{1} << 60;
  const std::uint64_t an_item = std::max(search, graph);
  const bool beyond = view.rows != 0 && an_item > beyond_any_machine / view.rows;
  return (beyond ? beyond_any_machine : view.rows * an_item) + workspace;
}

NeighborPlan plan_neighbors(const MatrixView& view, const GraphOptions& options, std::uint32_t k,
                            unsigned threads) {
  const bool all_pairs = meets_all_pairs(view, options);
  const auto cells = [&](std::size_t places) {
    return all_pairs ? 0 : approximate_memory(view, places, threads);
  };
  NeighborPlan plan;
  plan.seconds = planned_seconds(view, all_pairs, threads);
  // Rows that need more cells than fit meet in several rounds: the first thing to save on.
  for (plan.places = most_places; plan.places > 0; plan.places /= 2) {
    plan.bytes = cells(plan.places) + neighbor_memory(view, k, 2 * std::size_t{k} + 4, threads);
    if (!options.memory_bytes || plan.bytes <= *options.memory_bytes) return plan;
  }
  plan.places = 1;
  plan.slots = std::size_t{k} + 6;
  plan.bytes = cells(1) + neighbor_memory(view, k, plan.slots, threads);
  return plan;
}

std::optional<std::string> reason_for_all_pairs(const MatrixView& view, const GraphOptions& options,
                                                std::uint32_t k) {
  if (options.knn == Knn::exact) return "as asked for";
  if (k == 0) return "there is nothing to compare";
  if (!meets_all_pairs(view, options)) return std::nullopt;
  return fmt::format("all pairs take {} on two cores", seconds_in_words(seconds_for_all_pairs(view)));
}

FoundNeighbors told(ApproximateNeighbors found, const MatrixView& view, const GraphOptions& options) {
  if (found.exact)
    return exact(std::move(found.lists),
                 fmt::format("no cheaper way to a recall of {} was found than all pairs", options.recall));
  return {.lists = std::move(found.lists),
          .method = "approximate",
          .recall = found.recall.recall,
          .recall_interval = std::pair(found.recall.low, found.recall.high),
          .reason = options.knn == Knn::approximate
                        ? fmt::format("as asked for; met in the nearest {:.3g} of {} cells", found.places,
                                      found.cells)
                        : fmt::format("all pairs would take {} on two cores (--knn exact to have them)",
                                      seconds_in_words(seconds_for_all_pairs(view)))};
}

FoundNeighbors find_neighbors(const MatrixView& view, const GraphOptions& options, std::uint32_t k,
                              const Run& run) {
  const NeighborTuning tuning = tuning_within(view, options, k, run);
  if (std::optional<std::string> reason = reason_for_all_pairs(view, options, k))
    return exact(exact_neighbors(view, options.metric, k, run, tuning), std::move(*reason));

  const ApproximateOptions approximate{.recall = options.recall};
  return told(approximate_neighbors(view, options.metric, k, approximate, run, tuning), view, options);
}

}  // namespace pith
