#include "ranks/approximate_across.h"

#include <xxhash.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "graph/cell_meeting.h"
#include "graph/cell_planner.h"
#include "graph/query_sweep.h"
#include "ranks/found_rows.h"
#include "ranks/together.h"

namespace pith {
namespace {

using Scored = ExactScorer::Scored;

/// What the first rank tells the others to do next.
enum class Task : std::uint32_t { find_nearest, meet, leave };

void tell(Communicator& ranks, Task task, std::span<const std::byte> more) {
  Packet packet;
  append_value(packet, task);
  append_bytes(packet, more);
  static_cast<void>(ranks.broadcast(std::move(packet), 0));
}

/// exact_nearest_of(), each rank doing its part of the queries.
std::vector<std::vector<Scored>> find_together(Communicator& ranks, const NeighborSearch& search,
                                               std::span<const Item> queries, const Run& run) {
  const RowBlocks parts(queries.size(), ranks.size());
  const auto mine = queries.subspan(parts.begin(ranks.rank()), parts.count(ranks.rank()));
  std::vector<Scored> found;
  std::vector<std::uint32_t> counts;
  if (!mine.empty())
    for (const std::vector<Scored>& nearest : exact_nearest_of(search, mine, run)) {
      counts.push_back(static_cast<std::uint32_t>(nearest.size()));
      found.insert(found.end(), nearest.begin(), nearest.end());
    }
  const std::vector<std::uint32_t> all_counts = gather_all(ranks, counts);
  const std::vector<Scored> all = gather_all(ranks, found);
  std::vector<std::vector<Scored>> nearest;
  auto next = all.begin();
  for (const std::uint32_t count : all_counts) {
    nearest.emplace_back(next, next + count);
    next += count;
  }
  return nearest;
}

/// A plan, as every rank knows it.
struct SharedPlan {
  std::unique_ptr<const Cells> cells;
  CellReach reach;
  std::vector<Item> sampled;  ///< rows that the first rank measures recall on
  std::uint64_t identity;     ///< of this plan and no other
};

Packet packed(const CellPlan& plan, std::span<const Item> sampled) {
  Packet packet;
  append_value(packet, static_cast<std::uint64_t>(plan.reach.places));
  append_value(packet, plan.reach.gap);
  append_many(packet, sampled);
  append_many(packet, plan.cells->centres());
  return packet;
}

/// The cells that a rank meets.
struct Share {
  std::vector<std::size_t> cells;
  Cells::Members members;  ///< of these alone
  double places = 0;       ///< cells that a row joins, on average, whoever meets them
};

/// A row and a cell that it joins.
struct Placed {
  Item row;
  std::uint32_t cell;
};

/// One rank's part in the search.
class CellSearch {
 public:
  CellSearch(Communicator& ranks, const RowBlocks& blocks, NeighborSearch& search, const TileKernel& products,
             std::uint32_t k, const ApproximateOptions& options, Checkpoints& checkpoints, const Run& run)
      : ranks_(ranks),
        blocks_(blocks),
        search_(search),
        products_(products),
        options_(options),
        checkpoints_(checkpoints),
        run_(run),
        planner_(search, k, options, products, run, [this](std::span<const Item> queries) {
          tell(ranks_, Task::find_nearest, std::as_bytes(queries));
          return find_together(ranks_, search_, queries, run_);
        }) {}

  [[nodiscard]] ApproximateNeighbors run() {
    ApproximateNeighbors answer;
    const std::optional<SharedPlan> plan = ranks_.is_first() ? lead() : follow();
    if (!plan) {
      answer.exact = true;
      return answer;
    }
    const std::vector<Item> mine = groups_of(ranks_.rank());
    meet(*plan, mine, answer);
    bring_together(plan->sampled);
    if (ranks_.is_first())
      answer.recall = recall_met(planner_.check().measure(search_, run_), options_.recall);
    answer.cells = plan->cells->count();
    fill_up(search_, mine, run_);
    answer.lists = search_.lists_of(blocks_.begin(ranks_.rank()), blocks_.end(ranks_.rank()), mine, run_);
    return answer;
  }

 private:
  std::optional<SharedPlan> lead() {
    const Packet plan = find_plan();
    if (plan.empty()) {
      tell(ranks_, Task::leave, {});
      return std::nullopt;
    }
    tell(ranks_, Task::meet, plan);
    return unpacked(plan);
  }

  std::optional<SharedPlan> follow() {
    for (;;) {
      const Packet packet = ranks_.broadcast({}, 0);
      PacketReader reader(packet);
      const Task task = reader.value<Task>();
      if (task == Task::leave) return std::nullopt;
      if (task == Task::meet) return unpacked(reader.rest());
      static_cast<void>(find_together(ranks_, search_, values_of<Item>(reader.rest()), run_));
    }
  }

  /// Saved by an earlier run, or made now; empty where there is none.
  Packet find_plan() {
    if (const std::optional<SavedPlan> saved = load_plan()) {
      planner_.remember(saved->sampled, [&](std::span<const Item> queries) {
        std::vector<std::vector<Scored>> nearest;
        for (const Item row : queries) nearest.push_back(saved->truth.at(row));
        return nearest;
      });
      return saved->plan;
    }
    const std::optional<CellPlan> chosen = planner_.choose();
    if (!chosen) return {};
    const RecallCheck& check = planner_.check();
    Packet plan = packed(*chosen, check.groups());
    if (!checkpoints_.active()) return plan;
    Packet saved;
    append_many(saved, plan);
    append_value(saved, static_cast<std::uint64_t>(check.sampled()));
    for (std::size_t at = 0; at < check.groups().size(); ++at) {
      append_value(saved, check.groups()[at]);
      append_many(saved, check.truth(at));
    }
    checkpoints_.save_plan(saved);
    return plan;
  }

  struct SavedPlan {
    Packet plan;
    std::uint64_t sampled = 0;
    std::map<Item, std::vector<Scored>> truth;
  };
  /// Nothing where none was saved, or what was saved is damaged.
  [[nodiscard]] std::optional<SavedPlan> load_plan() const {
    const std::optional<Packet> packet = checkpoints_.load_plan();
    if (!packet) return std::nullopt;
    try {
      PacketReader reader(*packet);
      SavedPlan saved;
      saved.plan = reader.many<std::byte>();
      saved.sampled = reader.value<std::uint64_t>();
      while (!reader.done()) {
        const auto row = reader.value<Item>();
        saved.truth.emplace(row, reader.many<Scored>());
      }
      return saved;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  [[nodiscard]] SharedPlan unpacked(std::span<const std::byte> packet) const {
    PacketReader reader(packet);
    SharedPlan plan{.cells = {}, .reach = {}, .sampled = {}, .identity = {}};
    plan.identity = XXH3_64bits(packet.data(), packet.size());
    plan.reach.places = reader.value<std::uint64_t>();
    plan.reach.gap = reader.value<float>();
    plan.sampled = reader.many<Item>();
    plan.cells = std::make_unique<const Cells>(
        search_.filter(), products_, search_.rows(), search_.view().cols,
        search_.filter().largest_prepared(search_.facts().largest), reader.many<float>());
    return plan;
  }

  /// In the cells that nobody has met in before, and with what was found in the others.
  void meet(const SharedPlan& plan, std::span<const Item> mine, ApproximateNeighbors& answer) {
    std::vector<std::size_t> done;  // cells of which this rank holds what was found
    std::vector<Packet> before = load_found(plan, done);
    std::vector<std::uint64_t> done_by(plan.cells->count(), 0);
    for (const std::size_t cell : done) done_by[cell] = 1;
    ranks_.sum(done_by);
    const Share share = assign(plan, done_by);
    answer.places = share.places;
    const std::vector<Item> rows = rows_held(share, plan, mine, before);
    search_.table().make_room_for(rows);
    ExactScorer scorer = search_.scorer();
    for (const Packet& packet : before) take_found(search_, PacketReader(packet), scorer);
    before = {};
    CellMeeting meeting(search_, share.members, run_);
    if (!checkpoints_.active()) {
      meeting.meet(share.cells);
      return;
    }
    meeting.meet(share.cells, [&](std::span<const std::size_t> now) {
      if (!checkpoints_.due()) return;
      Packet packet;
      append_value(packet, plan.identity);
      std::vector<std::size_t> cells = done;
      cells.insert(cells.end(), now.begin(), now.end());
      append_many(packet, cells);
      for (const Item row : rows) append_found(search_, row, scorer, packet);
      checkpoints_.save_found(ranks_.rank(), packet);
    });
  }

  /// This rank's part of what was saved by this plan, and of which cells it is.
  std::vector<Packet> load_found(const SharedPlan& plan, std::vector<std::size_t>& cells) const {
    std::vector<Packet> found;
    if (!checkpoints_.active()) return found;
    for (const Packet& saved : checkpoints_.load_found(ranks_.rank(), ranks_.size())) {
      PacketReader reader(saved);
      if (reader.value<std::uint64_t>() != plan.identity) continue;
      const auto its = reader.many<std::size_t>();
      cells.insert(cells.end(), its.begin(), its.end());
      const auto rest = reader.rest();
      found.emplace_back(rest.begin(), rest.end());
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return found;
  }

  /// Each rank looks for the cells of its part of the rows, and tells those who meet in them.
  [[nodiscard]] Share assign(const SharedPlan& plan, const std::vector<std::uint64_t>& done_by) const {
    const RowBlocks parts(search_.rows(), ranks_.size());
    const std::size_t first = parts.begin(ranks_.rank());
    Cells::Places places = plan.cells->places_of(first, parts.end(ranks_.rank()), plan.reach, run_);
    std::vector<std::uint64_t> sizes(plan.cells->count(), 0);
    for (const auto& some : places.cells)
      for (const std::uint32_t cell : some) ++sizes[cell];
    ranks_.sum(sizes);
    Share share;
    share.places = static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0})) /
                   static_cast<double>(search_.rows());
    const std::vector<int> who = who_meets(sizes, done_by);
    std::vector<std::vector<Placed>> outgoing(static_cast<std::size_t>(ranks_.size()));
    places.use_up(static_cast<Item>(first), [&](Item row, std::uint32_t cell) {
      if (who[cell] >= 0) outgoing[static_cast<std::size_t>(who[cell])].push_back({row, cell});
    });
    const std::vector<std::vector<Placed>> incoming = swap_between(ranks_, outgoing);

    std::vector<std::uint64_t>& starts = share.members.starts;
    starts.assign(sizes.size() + 1, 0);
    for (std::size_t cell = 0; cell < sizes.size(); ++cell) {
      const bool mine = who[cell] == ranks_.rank();
      if (mine) share.cells.push_back(cell);
      starts[cell + 1] = starts[cell] + (mine ? sizes[cell] : 0);
    }
    share.members.rows.resize(starts.back());
    std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
    for (const std::vector<Placed>& of_one : incoming)  // rows ascend with the ranks that look for them
      for (const Placed& placed : of_one) share.members.rows[next[placed.cell]++] = placed.row;
    return share;
  }

  /// The rank that meets in each cell: the largest first, each to the one that has least to do. Nobody (-1)
  /// where it is done.
  [[nodiscard]] std::vector<int> who_meets(const std::vector<std::uint64_t>& sizes,
                                           const std::vector<std::uint64_t>& done_by) const {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    std::vector<double> pairs(static_cast<std::size_t>(ranks_.size()), 0.0);
    std::vector<int> who(sizes.size(), -1);
    for (const std::size_t cell : order) {
      if (done_by[cell] != 0) continue;
      const auto least = std::min_element(pairs.begin(), pairs.end());
      const auto size = static_cast<double>(sizes[cell]);
      *least += size * size;
      who[cell] = static_cast<int>(least - pairs.begin());
    }
    return who;
  }

  /// Whose neighbours this rank needs room for.
  [[nodiscard]] std::vector<Item> rows_held(const Share& share, const SharedPlan& plan,
                                            std::span<const Item> mine,
                                            const std::vector<Packet>& before) const {
    std::vector<bool> held(search_.rows(), false);
    const auto mark = [&](std::span<const Item> rows) {
      for (const Item row : rows) held[row] = true;
    };
    mark(share.members.rows);
    mark(mine);
    if (ranks_.is_first()) mark(plan.sampled);
    for (const Packet& packet : before) mark(rows_found(PacketReader(packet)));
    std::vector<Item> rows;
    for (std::size_t row = 0; row < held.size(); ++row)
      if (held[row]) rows.push_back(static_cast<Item>(row));
    return rows;
  }

  /// Groups of the items that a rank owns.
  [[nodiscard]] std::vector<Item> groups_of(int rank) const {
    const auto& group_of = search_.distinct().group_of;
    std::vector<Item> groups(group_of.begin() + static_cast<std::ptrdiff_t>(blocks_.begin(rank)),
                             group_of.begin() + static_cast<std::ptrdiff_t>(blocks_.end(rank)));
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
  }

  /// What ranks found for rows of others goes to these; to the first rank also for rows it has sampled.
  void bring_together(std::span<const Item> sampled) {
    ExactScorer scorer = search_.scorer();
    std::vector<Packet> outgoing(static_cast<std::size_t>(ranks_.size()));
    for (int rank = 0; rank < ranks_.size(); ++rank) {
      if (rank == ranks_.rank()) continue;
      std::vector<Item> wanted = groups_of(rank);
      if (rank == 0) {
        wanted.insert(wanted.end(), sampled.begin(), sampled.end());
        std::sort(wanted.begin(), wanted.end());
        wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
      }
      for (const Item row : wanted)
        if (search_.table().has_room_for(row))
          append_found(search_, row, scorer, outgoing[static_cast<std::size_t>(rank)]);
    }
    for (const Packet& packet : ranks_.all_to_all(std::move(outgoing)))
      take_found(search_, PacketReader(packet), scorer);
  }

  Communicator& ranks_;
  const RowBlocks& blocks_;
  NeighborSearch& search_;
  const TileKernel& products_;
  const ApproximateOptions& options_;
  Checkpoints& checkpoints_;
  const Run& run_;
  CellPlanner planner_;
};

}  // namespace

ApproximateNeighbors approximate_across(Communicator& ranks, const RowBlocks& blocks, const MatrixView& view,
                                        Metric metric, std::uint32_t k, const ApproximateOptions& options,
                                        Checkpoints& checkpoints, const Run& run) {
  const NeighborTuning own = tuning_for_cells({}, k);
  const auto search =
      together(ranks, [&] { return std::make_unique<NeighborSearch>(view, metric, k, run, own); });
  return CellSearch(ranks, blocks, *search, find_kernel(own.cell_kernel), k, options, checkpoints, run).run();
}

}  // namespace pith
