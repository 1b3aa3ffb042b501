#include "constraint/cap_flow.h"

#include <algorithm>
#include <numeric>

namespace pith {
namespace {

/// Drops the cells that are used up or blocked, and clips the others to what their groups can take.
void clip(std::vector<FlowCell>& cells, const Rooms& rooms) {
  std::size_t kept = 0;
  for (FlowCell cell : cells) {
    cell.items =
        std::min({cell.items, rooms.classes[cell.class_group], rooms.boundaries[cell.boundary_group]});
    if (cell.items > 0) cells[kept++] = cell;
  }
  cells.resize(kept);
}

struct Settled {
  std::int64_t items = 0;
  bool progress = false;
};

/// Splits off what a group cannot dispute. Let group g (of the near side) have room R and cells x_1..x_m with
/// sum X. The vectors 0 <= y <= x with sum y <= R are exactly the sums of a vector 0 <= z <= f and one within
/// x - f of sum at most R - sum f, for f_c = max(0, x_c - max(0, X - R)). So f_c depends on the far side
/// alone, and there it is best taken before anything that two groups limit. A group that cannot bind (R >= X)
/// is decided whole: the folding of its cells into one edge is the special case f = x.
template <std::uint32_t FlowCell::*near_group, std::uint32_t FlowCell::*far_group>
Settled settle(std::vector<FlowCell>& cells, std::vector<std::int64_t>& near_room,
               std::vector<std::int64_t>& far_room, std::vector<std::int64_t>& excess) {
  excess.assign(near_room.size(), 0);
  for (const FlowCell& cell : cells) excess[cell.*near_group] += cell.items;
  for (std::size_t g = 0; g < excess.size(); ++g)
    excess[g] = std::max<std::int64_t>(0, excess[g] - near_room[g]);
  Settled settled;
  for (FlowCell& cell : cells) {
    const std::int64_t undisputed = cell.items - excess[cell.*near_group];
    if (undisputed <= 0) continue;
    settled.progress = true;
    near_room[cell.*near_group] -= undisputed;
    cell.items -= undisputed;
    const std::int64_t items = std::min(undisputed, far_room[cell.*far_group]);
    far_room[cell.*far_group] -= items;
    settled.items += items;
  }
  return settled;
}

/// Room of the groups that still have cells.
template <std::uint32_t FlowCell::*group>
std::int64_t room_left(const std::vector<FlowCell>& cells, const std::vector<std::int64_t>& room,
                       std::vector<std::int64_t>& scratch) {
  scratch.assign(room.size(), 0);
  for (const FlowCell& cell : cells) scratch[cell.*group] = room[cell.*group];
  return std::accumulate(scratch.begin(), scratch.end(), std::int64_t{0});
}

std::vector<std::int64_t> rooms_of(const Partition& partition, std::int64_t unlimited) {
  std::vector<std::int64_t> rooms(partition.groups() + 1, unlimited);
  if (!partition.active) return rooms;
  for (std::size_t g = 0; g < partition.groups(); ++g) rooms[g] = std::min(unlimited, partition.room(g));
  return rooms;
}

}  // namespace

Rooms rooms_of(const Balance& balance, std::int64_t unlimited) {
  return {.classes = rooms_of(balance.classes, unlimited),
          .boundaries = rooms_of(balance.boundaries, unlimited)};
}

CapFlow::CapFlow(const Balance& balance, const std::vector<Cell>& cells) {
  const auto classes = static_cast<std::uint32_t>(balance.classes.groups());
  const auto boundaries = static_cast<std::uint32_t>(balance.boundaries.groups());
  cells_.reserve(cells.size());
  for (const Cell& cell : cells) {
    cells_.push_back(
        {std::min(cell.class_group, classes), std::min(cell.boundary_group, boundaries), cell.items});
    total_ += cell.items;
  }
  const auto by_class = [](const FlowCell& a, const FlowCell& b) { return a.class_group < b.class_group; };
  if (!std::is_sorted(cells_.begin(), cells_.end(), by_class)) {
    std::stable_sort(cells_.begin(), cells_.end(), by_class);
  }
}

std::int64_t CapFlow::largest(Rooms rooms, std::int64_t enough) {
  live_ = cells_;
  std::int64_t flow = reduce(rooms);
  const std::int64_t bound =
      flow + std::min(room_left<&FlowCell::class_group>(live_, rooms.classes, sums_),
                      room_left<&FlowCell::boundary_group>(live_, rooms.boundaries, sums_));
  if (flow >= enough || bound == flow) return flow;
  if (bound < enough && enough != std::numeric_limits<std::int64_t>::max()) return bound;
  flow += fill(rooms);
  if (flow >= std::min(enough, bound)) return flow;
  return flow + augment_by_max_flow(live_, taken_, rooms);
}

/// Settles boundaries and classes in turn. Every pass is exact by itself, so a limit on their number costs
/// only a larger rest. O(cells) a pass.
std::int64_t CapFlow::reduce(Rooms& rooms) {
  constexpr int most_passes = 8;
  std::int64_t flow = 0;
  clip(live_, rooms);
  for (int pass = 0; pass < most_passes && !live_.empty(); ++pass) {
    const Settled by_boundary = settle<&FlowCell::boundary_group, &FlowCell::class_group>(
        live_, rooms.boundaries, rooms.classes, sums_);
    clip(live_, rooms);
    const Settled by_class = settle<&FlowCell::class_group, &FlowCell::boundary_group>(
        live_, rooms.classes, rooms.boundaries, sums_);
    clip(live_, rooms);
    flow += by_boundary.items + by_class.items;
    if (!by_boundary.progress && !by_class.progress) break;
  }
  return flow;
}

/// A maximal flow over the live cells, into taken_. The class with the least to choose from beyond its room
/// goes first, since the others can make do without what it takes.
std::int64_t CapFlow::fill(Rooms& rooms) {
  struct ClassCells {
    std::int64_t spare;
    std::size_t begin;
    std::size_t end;
  };
  std::vector<ClassCells> runs;
  for (std::size_t begin = 0; begin < live_.size();) {
    const std::uint32_t group = live_[begin].class_group;
    ClassCells run{-rooms.classes[group], begin, begin};
    for (; run.end < live_.size() && live_[run.end].class_group == group; ++run.end) {
      run.spare += live_[run.end].items;
    }
    begin = run.end;
    runs.push_back(run);
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const ClassCells& a, const ClassCells& b) { return a.spare < b.spare; });
  taken_.assign(live_.size(), 0);
  std::int64_t flow = 0;
  for (const ClassCells& run : runs) {
    std::int64_t& class_room = rooms.classes[live_[run.begin].class_group];
    for (std::size_t c = run.begin; c < run.end && class_room > 0; ++c) {
      std::int64_t& boundary_room = rooms.boundaries[live_[c].boundary_group];
      taken_[c] = std::min({live_[c].items, class_room, boundary_room});
      class_room -= taken_[c];
      boundary_room -= taken_[c];
      flow += taken_[c];
    }
  }
  return flow;
}

}  // namespace pith
