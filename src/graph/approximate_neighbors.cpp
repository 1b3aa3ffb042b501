#include "graph/approximate_neighbors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "graph/cells.h"
#include "graph/neighbor_search.h"
#include "graph/pair_sweep.h"
#include "graph/query_sweep.h"

namespace pith {
namespace {

constexpr double error = 0.05;
constexpr std::size_t stripe = 256;  ///< rows that share a lock

/// Members of a cell: those that have met each other, then those who came since.
struct Cell {
  std::vector<Item> rows;
  std::size_t met = 0;

  /// Pairs still to meet.
  [[nodiscard]] double pairs() const noexcept {
    const auto all = static_cast<double>(rows.size());
    const auto old = static_cast<double>(met);
    return (all * all - old * old) / 2;
  }
};

class CellSearch {
 public:
  CellSearch(NeighborSearch& search, std::size_t cells, const Run& run)
      : search_(search),
        run_(run),
        alone_{.threads = 1, .progress = {}, .cancelled = run.cancelled},
        centres_(search.filter(), search.rows(), search.view().cols, search.facts().largest, cells, run),
        cells_(centres_.count()),
        locks_(std::make_unique<std::mutex[]>(search.rows() / stripe + 1)) {}

  /// Every row becomes a member of its next nearest `places` cells; gives the pairs this brings together.
  double join(std::size_t places) {
    places = std::min(places, centres_.count() - places_);
    const Cells::Members members = centres_.members(places_, places, run_);
    places_ += places;
    double pairs = 0;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      cells_[c].rows.insert(cells_[c].rows.end(),
                            members.rows.begin() + static_cast<std::ptrdiff_t>(members.starts[c]),
                            members.rows.begin() + static_cast<std::ptrdiff_t>(members.starts[c + 1]));
      pairs += cells_[c].pairs();
    }
    return pairs;
  }

  [[nodiscard]] std::size_t places() const noexcept { return places_; }
  [[nodiscard]] bool can_grow() const noexcept { return places_ < centres_.count(); }

  void meet(double pairs_before, double pairs_in_all) {
    std::vector<std::size_t> order(cells_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cells_[a].pairs() > cells_[b].pairs(); });
    double done = pairs_before;
    std::mutex progress;
    parallel_for(run_, order.size(), 1, [&](std::size_t at, std::size_t, unsigned) {
      Cell& cell = cells_[order[at]];
      const double pairs = cell.pairs();
      meet_within(cell);
      cell.met = cell.rows.size();
      const std::lock_guard lock(progress);
      done += pairs;
      run_.report("graph", done, std::max(done, pairs_in_all));
    });
  }

 private:
  /// All new pairs of a cell in a table of its own, then what is left of them into the large one: that is out
  /// of every cache, and shared.
  void meet_within(const Cell& cell) {
    const std::size_t count = cell.rows.size();
    if (count == cell.met || count < 2) return;
    std::vector<Item> items;
    items.reserve(count);
    for (const Item row : cell.rows) items.push_back(search_.distinct().first[row]);
    const ScoreFilter filter(search_.filter(), cell.rows, items);
    const std::uint32_t wanted = search_.wanted();
    CandidateTable table(filter, count, wanted, 4 * std::size_t{wanted} + 24, false);
    for_each_locked(cell, [&](Item local, Item row) { table.start(local, search_.table().bars()[row]); });
    const ExactScorer scorer(search_.view(), search_.metric(), search_.facts(), items);
    PairSweep(filter, search_.kernel(), scorer, table, count, search_.view().cols, 0, alone_)
        .meet_all(cell.met);
    ExactScorer local_scorer = scorer;
    ExactScorer global_scorer = search_.scorer();
    for_each_locked(cell, [&](Item local, Item row) {
      table.drop_the_hopeless(local, local_scorer);
      for (const auto& c : table.candidates(local))
        search_.table().offer_again(row, cell.rows[c.row], c.upper, global_scorer);
    });
  }

  /// body(place in the cell, row) with the row's lock held.
  template <class Body>
  void for_each_locked(const Cell& cell, Body body) {
    std::unique_lock<std::mutex> lock;
    std::size_t held = std::numeric_limits<std::size_t>::max();
    for (std::size_t at = 0; at < cell.rows.size(); ++at) {
      const Item row = cell.rows[at];
      if (row / stripe != held) {
        held = row / stripe;
        if (lock.owns_lock()) lock.unlock();
        lock = std::unique_lock(locks_[held]);
      }
      body(static_cast<Item>(at), row);
    }
  }

  NeighborSearch& search_;
  const Run& run_;
  Run alone_;
  Cells centres_;
  std::vector<Cell> cells_;
  std::size_t places_ = 0;
  std::unique_ptr<std::mutex[]> locks_;
};

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
  return static_cast<std::size_t>(std::clamp(8 / std::max(1e-9, 1 - recall), 500.0, most));
}

/// Looks at the sample, and at a larger one while it leaves the answer open. Looking more than once gives
/// chance more than one chance: each look may err by half of what is left.
bool judge(RecallCheck& check, NeighborSearch& search, double recall, std::size_t first_sample,
           double& allowed, const Run& run) {
  for (;;) {
    allowed /= 2;
    const RecallEstimate estimate = estimate_recall(check.measure(search, run), check.sampled(), 2 * allowed);
    if (estimate.low >= recall) return true;
    const bool open = estimate.recall > recall;
    if (!open || check.sampled() >= 8 * first_sample || check.sampled() == search.view().rows) return false;
    check.extend(search, check.sampled(), run);
  }
}

/// What the cells cost, counted in pairs of the exact search, so that the search can tell when all pairs are
/// cheaper.
class CellCosts {
 public:
  CellCosts(double rows, double dimension, double before)
      : before_(before), member_(rows * (multiply_adds_a_member / std::max(32.0, dimension))) {}

  void add(std::size_t places, double pairs) {
    places_ = static_cast<double>(places);
    pairs_ += pairs;
  }
  [[nodiscard]] double pairs() const noexcept { return pairs_; }
  [[nodiscard]] double so_far() const noexcept { return with(0); }
  /// With so many places more: pairs grow with their square.
  [[nodiscard]] double with(double more) const noexcept {
    const double growth = (places_ + more) / places_;
    return before_ + (places_ + more) * member_ + finer * pairs_ * growth * growth;
  }
  /// Places it will take to reach a recall, if what is missed goes on shrinking by the same factor a place.
  /// With one look to go by, one more place.
  [[nodiscard]] double places_missing(double mean, double recall) {
    const double missed = 1 - mean;
    const double before = std::exchange(missed_, missed);
    const double steps = places_ - std::exchange(places_then_, places_);
    if (before == 0 || missed == 0) return 1;
    const double a_place = std::log(missed / before) / steps;
    if (a_place >= 0) return std::numeric_limits<double>::infinity();
    return std::max(1.0, std::log(0.8 * (1 - recall) / missed) / a_place);
  }

 private:
  static constexpr double multiply_adds_a_member =
      3e5;  ///< time a member's candidates take beyond the products
  static constexpr double finer =
      1.6;  ///< a pair here against one of the exact search, whose kernel may round
  double before_;
  double member_;
  double places_ = 0;
  double pairs_ = 0;
  double missed_ = 0;
  double places_then_ = 0;
};

/// Cells of a thousand members or so, each row in two.
std::size_t usual_cells(std::size_t rows) {
  const auto n = static_cast<double>(rows);
  return static_cast<std::size_t>(std::max(1.0, std::min(n / 500, 2 * std::sqrt(n))));
}

/// Nothing where meeting everybody is expected to be quicker, or the only way.
std::optional<ApproximateNeighbors> search_in_cells(const MatrixView& view, Metric metric, std::uint32_t k,
                                                    const ApproximateOptions& options, const Run& run,
                                                    const NeighborTuning& tuning) {
  // Candidates outweigh products in short rows, products in long ones.
  constexpr std::size_t long_row = 1024;
  NeighborSearch search(view, metric, k, run, tuning, view.cols >= long_row);
  const auto rows = static_cast<double>(search.rows());
  const double all_pairs = options.persist ? std::numeric_limits<double>::infinity() : rows * rows / 2;
  const std::size_t count = options.cells != 0 ? options.cells : usual_cells(search.rows());
  const std::size_t first_sample = sample_for(options.recall);
  // The sample and the assignment to cells alone cost this many pairs.
  const double before = rows * static_cast<double>(first_sample + count);
  if (before >= all_pairs || search.rows() < 2) return std::nullopt;

  RecallCheck check(search, k, options.seed);
  check.extend(search, first_sample, run);
  CellSearch cells(search, count, run);
  CellCosts costs(rows, static_cast<double>(view.cols), before);
  double allowed = error;
  for (std::size_t next = options.places != 0 ? options.places : 2;;) {
    const double pairs = cells.join(next);
    costs.add(cells.places(), pairs);
    if (costs.so_far() >= all_pairs) return std::nullopt;
    cells.meet(costs.pairs() - pairs, costs.pairs());
    if (judge(check, search, options.recall, first_sample, allowed, run)) break;
    if (!cells.can_grow()) return std::nullopt;
    const double missing = costs.places_missing(check.measure(search, run), options.recall);
    if (costs.with(missing) >= all_pairs) return std::nullopt;
    next = static_cast<std::size_t>(std::clamp(std::floor(missing), 1.0, 4.0));
  }
  ApproximateNeighbors answer;
  answer.recall = estimate_recall(check.measure(search, run), check.sampled(), error);
  answer.cells = count;
  answer.places = cells.places();
  fill_up(search, run);
  answer.lists = search.lists(run);
  return answer;
}

}  // namespace

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
