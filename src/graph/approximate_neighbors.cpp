#include "graph/approximate_neighbors.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "base/clones.h"
#include "base/parallel.h"
#include "graph/cells.h"
#include "graph/neighbor_search.h"
#include "graph/query_sweep.h"
#include "graph/row_picker.h"

namespace pith {
namespace {

constexpr double error = 0.05;
constexpr std::size_t stripe = 256;         ///< rows that share a lock
constexpr std::size_t most_at_once = 2048;  ///< rows of a cell whose values of each other are held: 16 MB
constexpr std::size_t worth_turning =
    128;  ///< columns from which on a product costs more than turning it over

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

/// A square block of floats, rows `stride` apart, written as its transpose.
PITH_CLONES void turn_over(const float* from, float* to, std::size_t stride, std::size_t side) noexcept {
  constexpr std::size_t part = 16;
  for (std::size_t r = 0; r < side; r += part)
    for (std::size_t c = 0; c < side; c += part)
      for (std::size_t x = 0; x < part; ++x)
        for (std::size_t y = 0; y < part; ++y) to[(r + x) * stride + c + y] = from[(c + y) * stride + r + x];
}

class CellSearch {
 public:
  CellSearch(NeighborSearch& search, std::size_t cells, const TileKernel& products, const Run& run)
      : search_(search),
        run_(run),
        centres_(search.filter(), products, search.rows(), search.view().cols, search.facts().largest, cells,
                 run),
        cells_(centres_.count()),
        locks_(std::make_unique<std::mutex[]>(search.rows() / stripe + 1)) {}

  /// Every row becomes a member of its next nearest `places` cells; gives the pairs this brings together.
  double join(double places) {
    const double all = std::min(places_ + places, static_cast<double>(centres_.count()));
    const auto last = static_cast<std::size_t>(std::ceil(all));
    // A second half of a place has been found together with the first.
    if (last > nearest_.last) nearest_ = centres_.find_nearest(static_cast<std::size_t>(places_), last, run_);
    const Cells::Members members = centres_.members(nearest_, places_, all);
    places_ = all;
    double pairs = 0;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      cells_[c].rows.insert(cells_[c].rows.end(),
                            members.rows.begin() + static_cast<std::ptrdiff_t>(members.starts[c]),
                            members.rows.begin() + static_cast<std::ptrdiff_t>(members.starts[c + 1]));
      pairs += cells_[c].pairs();
    }
    return pairs;
  }

  [[nodiscard]] double places() const noexcept { return places_; }
  [[nodiscard]] bool can_grow() const noexcept { return places_ < static_cast<double>(centres_.count()); }

  /// Ranks what the table holds of every row, cell by cell: nearly all of a row's neighbours share one with
  /// it.
  void settle() {
    std::vector<std::atomic<std::uint8_t>> settled(search_.rows());
    parallel_for(run_, cells_.size(), 1, [&](std::size_t at, std::size_t, unsigned) {
      ExactScorer scorer = search_.scorer();
      for (const Item row : cells_[at].rows)
        if (settled[row].exchange(1, std::memory_order_relaxed) == 0) search_.table().settle(row, scorer);
    });
  }

  void meet(double pairs_before, double pairs_in_all) {
    std::vector<std::size_t> order(cells_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cells_[a].pairs() > cells_[b].pairs(); });
    double done = pairs_before;
    std::mutex progress;
    std::vector<std::unique_ptr<Desk>> desks(run_.thread_count());
    for (auto& desk : desks) desk = std::make_unique<Desk>(search_.wanted());
    parallel_for(run_, order.size(), 1, [&](std::size_t at, std::size_t, unsigned worker) {
      Cell& cell = cells_[order[at]];
      const double pairs = cell.pairs();
      meet_within(cell, *desks[worker]);
      cell.met = cell.rows.size();
      const std::lock_guard lock(progress);
      done += pairs;
      run_.report("graph", done, std::max(done, pairs_in_all));
    });
  }

 private:
  /// What a thread meets the rows of a cell with.
  struct Desk {
    explicit Desk(std::size_t wanted) : picker(wanted) {}
    RowPicker picker;
    std::vector<Item> items;
    std::vector<float> bars;
    PackedPanel left;
    std::vector<PackedPanel> rights;
    TileSide left_side;
    TileSide right_side;
    std::vector<float> values;
    std::vector<float> scratch;
    KernelScratch kernel_scratch;
    std::vector<CandidateTable::Candidate> found;  ///< of all rows of the cell, one after the other
    std::vector<std::size_t> ends;                 ///< of each row's
  };

  /// All new pairs of a cell, both ways: a row's values of all others side by side give away the few that
  /// matter, which beats meeting each pair once and sorting out candidates as they come.
  void meet_within(const Cell& cell, Desk& desk) {
    const std::size_t count = cell.rows.size();
    if (count == cell.met || count < 2) return;
    desk.items.clear();
    for (const Item row : cell.rows) desk.items.push_back(search_.distinct().first[row]);
    const ScoreFilter filter(search_.filter(), cell.rows, desk.items);
    desk.bars.resize(count);
    for_each_locked(cell, [&](Item local, Item row) { desk.bars[local] = search_.table().bars()[row]; });
    desk.found.clear();
    desk.ends.clear();
    if (cell.met == 0 && count <= most_at_once && search_.view().cols >= worth_turning) {
      meet_at_once(filter, count, desk);
    } else {
      meet_columns(filter, {0, cell.met}, {cell.met, count}, desk);
      meet_columns(filter, {cell.met, count}, {0, count}, desk);
    }
    ExactScorer scorer = search_.scorer();
    for_each_locked(cell, [&](Item local, Item row) {
      CandidateTable& table = search_.table();
      for (std::size_t at = local == 0 ? 0 : desk.ends[local - 1]; at < desk.ends[local]; ++at)
        table.offer_again(row, cell.rows[desk.found[at].row], desk.found[at].upper, scorer);
      table.raise(row, desk.bars[local]);
    });
  }

  struct Range {
    std::size_t begin;
    std::size_t end;
  };

  /// Room for the values of so many columns that tiles and the picker need no edges.
  static std::size_t room_for(std::size_t columns, const RowPicker& picker) {
    return (TileSide::padded(columns) + picker.lanes() - 1) / picker.lanes() * picker.lanes();
  }
  /// A line of the cache more, lest the rows of a tile, often a power of two apart, get in each other's way
  /// there.
  static std::size_t stride_for(std::size_t room) { return room + 16; }

  /// All pairs of a cell: each product once, its value written down for both its rows.
  void meet_at_once(const ScoreFilter& filter, std::size_t count, Desk& desk) {
    constexpr std::size_t side = TileSide::padding;
    const std::size_t blocks = (count + side - 1) / side;
    const std::size_t room = room_for(count, desk.picker);
    const std::size_t stride = stride_for(room);
    const auto height = [&](std::size_t block) { return std::min(side, count - block * side); };
    desk.values.resize(blocks * side * stride);
    desk.rights.resize(std::max(desk.rights.size(), blocks));
    for (std::size_t block = 0; block < blocks; ++block)
      filter.pack_right(block * side, height(block), desk.scratch, desk.rights[block]);
    for (std::size_t row = 0; row < blocks; ++row) {
      run_.check_cancelled();
      filter.pack_left(row * side, height(row), desk.scratch, desk.left);
      desk.left_side.assign(filter.offsets() + row * side, height(row));
      for (std::size_t column = row; column < blocks; ++column) {
        desk.right_side.assign(filter.offsets() + column * side, height(column));
        float* const here = desk.values.data() + row * side * stride + column * side;
        search_.kernel().write_values(desk.left, desk.rights[column], desk.left_side, desk.right_side, here,
                                      stride, desk.kernel_scratch);
        if (column != row)
          turn_over(here, desk.values.data() + column * side * stride + row * side, stride, side);
      }
    }
    const float widest = *std::max_element(filter.widths().begin(), filter.widths().end());
    for (std::size_t row = 0; row < count; ++row)
      note_row(filter, row, {0, count}, widest, desk.values.data() + row * stride, room, desk);
  }

  /// Some rows with some columns.
  void meet_columns(const ScoreFilter& filter, Range rows, Range columns, Desk& desk) {
    if (rows.begin == rows.end) return;
    const std::size_t width = columns.end - columns.begin;
    const std::size_t room = room_for(width, desk.picker);
    const std::size_t stride = stride_for(room);
    desk.rights.resize(std::max<std::size_t>(desk.rights.size(), 1));
    filter.pack_right(columns.begin, width, desk.scratch, desk.rights[0]);
    desk.right_side.assign(filter.offsets() + columns.begin, width);
    const auto widths = filter.widths().subspan(columns.begin, width);
    const float widest = *std::max_element(widths.begin(), widths.end());
    desk.values.resize(TileSide::padding * stride);
    for (std::size_t first = rows.begin; first < rows.end; first += TileSide::padding) {
      run_.check_cancelled();
      const std::size_t tall = std::min(TileSide::padding, rows.end - first);
      filter.pack_left(first, tall, desk.scratch, desk.left);
      desk.left_side.assign(filter.offsets() + first, tall);
      search_.kernel().write_values(desk.left, desk.rights[0], desk.left_side, desk.right_side,
                                    desk.values.data(), stride, desk.kernel_scratch);
      for (std::size_t r = 0; r < tall; ++r)
        note_row(filter, first + r, columns, widest, desk.values.data() + r * stride, room, desk);
    }
  }

  /// What may be among a row's nearest of the columns, and what that says about its bar.
  static void note_row(const ScoreFilter& filter, std::size_t row, Range columns, float widest, float* values,
                       std::size_t room, Desk& desk) {
    constexpr float nothing = -std::numeric_limits<float>::infinity();
    std::fill(values + (columns.end - columns.begin), values + room, nothing);
    if (row >= columns.begin) values[row - columns.begin] = nothing;  // itself
    const float floor = desk.picker.look(values, room);
    float& bar = desk.bars[row];
    if (floor > nothing) bar = std::max(bar, filter.lower_bound(floor, static_cast<Item>(row), widest));
    desk.picker.for_each_from(bar, [&](std::size_t c) {
      desk.found.push_back({values[c], static_cast<Item>(columns.begin + c)});
    });
    desk.ends.push_back(desk.found.size());
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
  Cells centres_;
  std::vector<Cell> cells_;
  Cells::Nearest nearest_;
  double places_ = 0;
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

/// Looks at the sample, and at a larger one where that is likely to settle it and takes no more than
/// `affordable` items more. Looking more than once gives chance more than one chance: each look may err by
/// half of what is left.
bool judge(RecallCheck& check, NeighborSearch& search, double recall, double affordable, double& allowed,
           const Run& run) {
  for (;;) {
    allowed /= 2;
    const RecallEstimate estimate = estimate_recall(check.measure(search, run), check.sampled(), 2 * allowed);
    if (estimate.low >= recall) return true;
    const double mean = estimate.recall;
    if (mean <= recall || check.sampled() == search.view().rows) return false;
    // So many items that the mean lies three deviations above the recall asked for.
    const double enough = 9 * std::max(mean * (1 - mean), 1e-6) / ((mean - recall) * (mean - recall));
    const auto sampled = static_cast<double>(check.sampled());
    const double more = std::max(enough - sampled, sampled / 4);
    if (more > affordable) return false;
    affordable -= more;
    check.extend(search, static_cast<std::size_t>(more), run);
  }
}

/// What the cells cost, counted in pairs of the exact search, so that the search can tell when all pairs are
/// cheaper.
class CellCosts {
 public:
  CellCosts(double rows, double dimension, double before)
      : before_(before), member_(rows * (multiply_adds_a_member / std::max(32.0, dimension))) {}

  void add(double places, double pairs) {
    places_ = places;
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
      1.2e5;  ///< time a member's candidates take beyond the products
  static constexpr double finer =
      2.5;  ///< a pair here against one of the exact search, whose kernel may round
  double before_;
  double member_;
  double places_ = 0;
  double pairs_ = 0;
  double missed_ = 0;
  double places_then_ = 0;
};

/// The nearest cell, and for rows near its border the next.
constexpr double usual_places = 1.5;

/// Cells of a thousand members or so.
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
  // Which cell is a row's nearest may well be decided by rounded products; for l1 too, whose own kernel has
  // none.
  const std::string& name = tuning.cell_kernel.empty() ? tuning.kernel : tuning.cell_kernel;
  CellSearch cells(search, count, find_kernel(name), run);
  CellCosts costs(rows, static_cast<double>(view.cols), before);
  double allowed = error;
  for (double next = options.places != 0 ? options.places : usual_places;;) {
    const double pairs = cells.join(next);
    costs.add(cells.places(), pairs);
    if (costs.so_far() >= all_pairs) return std::nullopt;
    cells.meet(costs.pairs() - pairs, costs.pairs());
    // To whole places first: what half a place more is worth says little about the next.
    const double to_whole = std::ceil(cells.places()) - cells.places();
    // A larger sample is worth what going on would cost.
    const double affordable = std::max((costs.with(to_whole > 0 ? to_whole : 1) - costs.so_far()) / rows,
                                       static_cast<double>(first_sample) / 2);
    if (judge(check, search, options.recall, affordable, allowed, run)) break;
    if (!cells.can_grow()) return std::nullopt;
    const double missing = costs.places_missing(check.measure(search, run), options.recall);
    if (costs.with(missing) >= all_pairs) return std::nullopt;
    next = to_whole > 0 ? to_whole : std::clamp(std::floor(missing), 1.0, 4.0);
  }
  ApproximateNeighbors answer;
  answer.recall = estimate_recall(check.measure(search, run), check.sampled(), error);
  answer.cells = count;
  answer.places = cells.places();
  fill_up(search, run);
  if (search.has_no_equal_rows()) {
    cells.settle();
    answer.lists = search.settled_lists(run);
  } else {
    answer.lists = search.lists(run);
  }
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
