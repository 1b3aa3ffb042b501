#include "graph/cell_meeting.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

#include "base/clones.h"
#include "base/parallel.h"
#include "graph/row_picker.h"

namespace pith {
namespace {

constexpr std::size_t most_at_once = 2048;  ///< rows of a cell whose values of each other are held: 16 MB
constexpr std::size_t worth_turning =
    128;  ///< columns from which on a product costs more than turning it over

/// A square block of floats, rows `stride` apart, written as its transpose.
PITH_CLONES void turn_over(const float* from, float* to, std::size_t stride, std::size_t side) noexcept {
  constexpr std::size_t part = 16;
  for (std::size_t r = 0; r < side; r += part)
    for (std::size_t c = 0; c < side; c += part)
      for (std::size_t x = 0; x < part; ++x)
        for (std::size_t y = 0; y < part; ++y) to[(r + x) * stride + c + y] = from[(c + y) * stride + r + x];
}

double pairs_of(std::span<const Item> rows) noexcept {
  const auto count = static_cast<double>(rows.size());
  return count * count / 2;
}

}  // namespace

/// What a thread meets the rows of a cell with.
struct CellMeeting::Desk {
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

std::uint64_t CellMeeting::desk_bytes(std::size_t members, std::size_t dimension) noexcept {
  // Rows made ready, the same packed, and those on their way.
  const auto floats_of = [&](std::size_t rows, std::uint64_t values) {
    return (2 * rows + 2 * TileSide::padding) * std::uint64_t{dimension} + values;
  };
  const std::uint64_t side = TileSide::padded(std::min(members, most_at_once)) + TileSide::padding;
  const std::uint64_t at_once =
      dimension >= worth_turning ? floats_of(std::min(members, most_at_once), side * side) : 0;
  // Values of a few rows, and products beside them where a kernel writes these down first.
  const std::uint64_t by_rows = floats_of(members, 2 * TileSide::padding * TileSide::padded(members));
  return sizeof(float) * std::max(at_once, by_rows);
}

void CellMeeting::meet() {
  std::vector<std::size_t> all(members_.cells());
  std::iota(all.begin(), all.end(), std::size_t{0});
  meet(std::move(all));
}

void CellMeeting::meet(std::vector<std::size_t> order,
                       const std::function<void(std::span<const std::size_t> done)>& between) {
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return members_.of(a).size() > members_.of(b).size();
  });
  double all = 0;  // pairs, those of two cells twice
  for (const std::size_t cell : order) all += pairs_of(members_.of(cell));
  double done = 0;
  std::mutex progress;
  std::vector<std::unique_ptr<Desk>> desks(run_.thread_count());
  for (auto& desk : desks) desk = std::make_unique<Desk>(search_.wanted());
  // A stop costs what the threads wait for the last of them.
  const std::size_t threads = run_.thread_count();
  const std::size_t at_once = between ? std::clamp(order.size() / 16, threads, 128 * threads) : order.size();
  for (std::size_t first = 0; first < order.size(); first += at_once) {
    const std::size_t last = std::min(order.size(), first + at_once);
    parallel_for(run_, last - first, 1, [&](std::size_t at, std::size_t, unsigned worker) {
      const auto rows = members_.of(order[first + at]);
      meet_within(rows, *desks[worker]);
      const std::lock_guard lock(progress);
      done += pairs_of(rows);
      run_.report("graph", done, all);
    });
    if (between) between(std::span(order).first(last));
  }
}

void CellMeeting::settle() {
  std::vector<std::atomic<std::uint8_t>> settled(search_.rows());
  parallel_for(run_, members_.cells(), 1, [&](std::size_t cell, std::size_t, unsigned) {
    ExactScorer scorer = search_.scorer();
    for (const Item row : members_.of(cell))
      if (settled[row].exchange(1, std::memory_order_relaxed) == 0) search_.table().settle(row, scorer);
  });
}

/// body(place in the cell, row) with the row's lock held.
template <class Body>
void CellMeeting::for_each_locked(std::span<const Item> rows, Body body) {
  std::unique_lock<std::mutex> lock;
  std::size_t held = std::numeric_limits<std::size_t>::max();
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const Item row = rows[at];
    if (row / stripe != held) {
      held = row / stripe;
      if (lock.owns_lock()) lock.unlock();
      lock = std::unique_lock(locks_[held]);
    }
    body(static_cast<Item>(at), row);
  }
}

/// All pairs of a cell, both ways: a row's values of all others side by side give away the few that matter,
/// which beats meeting each pair once and sorting out candidates as they come.
void CellMeeting::meet_within(std::span<const Item> rows, Desk& desk) {
  const std::size_t count = rows.size();
  if (count < 2) return;
  desk.items.clear();
  for (const Item row : rows) desk.items.push_back(search_.distinct().first[row]);
  const ScoreFilter filter(search_.filter(), rows, desk.items);
  desk.bars.resize(count);
  constexpr std::size_t ahead = 16;
  for_each_locked(rows, [&](Item local, Item row) {
    if (local + ahead < count) search_.table().expect_bar(rows[local + ahead]);
    desk.bars[local] = search_.table().bars()[row];
  });
  desk.found.clear();
  desk.ends.clear();
  if (count <= most_at_once && search_.view().cols >= worth_turning)
    meet_at_once(filter, count, desk);
  else
    meet_by_rows(filter, count, desk);
  ExactScorer scorer = search_.scorer();
  for_each_locked(rows, [&](Item local, Item row) {
    CandidateTable& table = search_.table();
    if (local + ahead < count) table.expect_offers(rows[local + ahead]);
    for (std::size_t at = local == 0 ? 0 : desk.ends[local - 1]; at < desk.ends[local]; ++at)
      table.offer_again(row, rows[desk.found[at].row], desk.found[at].upper, scorer);
    table.raise(row, desk.bars[local]);
  });
}

/// Each product once, its value written down for both its rows.
void CellMeeting::meet_at_once(const ScoreFilter& filter, std::size_t count, Desk& desk) const {
  constexpr std::size_t side = TileSide::padding;
  const std::size_t blocks = (count + side - 1) / side;
  const std::size_t room = desk.picker.room_for(count);
  const std::size_t stride = RowPicker::stride_for(room);
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
    note_row(filter, row, count, widest, desk.values.data() + row * stride, room, desk);
}

/// A few rows with all at a time.
void CellMeeting::meet_by_rows(const ScoreFilter& filter, std::size_t count, Desk& desk) const {
  const std::size_t room = desk.picker.room_for(count);
  const std::size_t stride = RowPicker::stride_for(room);
  desk.rights.resize(std::max<std::size_t>(desk.rights.size(), 1));
  filter.pack_right(0, count, desk.scratch, desk.rights[0]);
  desk.right_side.assign(filter.offsets(), count);
  const float widest = *std::max_element(filter.widths().begin(), filter.widths().end());
  desk.values.resize(TileSide::padding * stride);
  for (std::size_t first = 0; first < count; first += TileSide::padding) {
    run_.check_cancelled();
    const std::size_t tall = std::min(TileSide::padding, count - first);
    filter.pack_left(first, tall, desk.scratch, desk.left);
    desk.left_side.assign(filter.offsets() + first, tall);
    search_.kernel().write_values(desk.left, desk.rights[0], desk.left_side, desk.right_side,
                                  desk.values.data(), stride, desk.kernel_scratch);
    for (std::size_t r = 0; r < tall; ++r)
      note_row(filter, first + r, count, widest, desk.values.data() + r * stride, room, desk);
  }
}

/// Who may be among a row's nearest, and what that says about its bar.
void CellMeeting::note_row(const ScoreFilter& filter, std::size_t row, std::size_t count, float widest,
                           float* values, std::size_t room, Desk& desk) {
  constexpr float nothing = -std::numeric_limits<float>::infinity();
  std::fill(values + count, values + room, nothing);
  values[row] = nothing;  // itself
  const float floor = desk.picker.look(values, room);
  float& bar = desk.bars[row];
  if (floor > nothing) bar = std::max(bar, filter.lower_bound(floor, static_cast<Item>(row), widest));
  for (const std::uint32_t c : desk.picker.columns_from(bar)) desk.found.push_back({values[c], Item{c}});
  desk.ends.push_back(desk.found.size());
}

}  // namespace pith
