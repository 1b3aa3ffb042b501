#include "ranks/approximate_across.h"

#include <algorithm>
#include <numeric>

#include "graph/cell_meeting.h"
#include "graph/cell_planner.h"
#include "graph/query_sweep.h"
#include "ranks/together.h"

namespace pith {
namespace {

using Scored = ExactScorer::Scored;
using Candidate = CandidateTable::Candidate;

/// What the first rank tells the others to do next.
enum class Task : std::uint32_t { find_nearest, meet, leave };

/// Reads what append_value() and append_bytes() wrote.
class PacketReader {
 public:
  explicit PacketReader(std::span<const std::byte> bytes) : left_(bytes) {}
  [[nodiscard]] bool done() const noexcept { return left_.empty(); }
  template <class T>
  T value() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> values(std::size_t count) {
    return values_of<T>(take(count * sizeof(T)));
  }
  std::span<const std::byte> rest() { return take(left_.size()); }

 private:
  std::span<const std::byte> take(std::size_t bytes) {
    const auto taken = left_.first(bytes);
    left_ = left_.subspan(bytes);
    return taken;
  }
  std::span<const std::byte> left_;
};

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
  std::shared_ptr<const Cells> cells;
  CellReach reach;
  std::vector<Item> sampled;  ///< rows that the first rank measures recall on
};

Packet packed(const CellPlan& plan, std::span<const Item> sampled) {
  Packet packet;
  append_value(packet, Task::meet);
  append_value(packet, plan.reach);
  append_value(packet, static_cast<std::uint64_t>(sampled.size()));
  append_bytes(packet, std::as_bytes(sampled));
  append_bytes(packet, bytes_of(plan.cells->centres()));
  return packet;
}

/// One rank's part in the search.
class CellSearch {
 public:
  CellSearch(Communicator& ranks, const RowBlocks& blocks, NeighborSearch& search, const TileKernel& products,
             std::uint32_t k, const ApproximateOptions& options, const Run& run)
      : ranks_(ranks),
        blocks_(blocks),
        search_(search),
        products_(products),
        options_(options),
        run_(run),
        planner_(search, k, options, products, run, [this](std::span<const Item> queries) {
          Packet packet;
          append_value(packet, Task::find_nearest);
          append_bytes(packet, std::as_bytes(queries));
          static_cast<void>(ranks_.broadcast(std::move(packet), 0));
          return find_together(ranks_, search_, queries, run_);
        }) {}

  [[nodiscard]] ApproximateNeighbors run() {
    ApproximateNeighbors answer;
    const std::optional<SharedPlan> plan = ranks_.is_first() ? lead() : follow();
    if (!plan) {
      answer.exact = true;
      return answer;
    }
    const Cells::Members members = assign(*plan);
    CellMeeting(search_, members, run_).meet(my_cells(members));
    const std::vector<Item> mine = groups_of(ranks_.rank());
    bring_together(plan->sampled);
    if (ranks_.is_first())
      answer.recall = recall_met(planner_.check().measure(search_, run_), options_.recall);
    answer.cells = plan->cells->count();
    answer.places = static_cast<double>(members.rows.size()) / static_cast<double>(search_.rows());
    fill_up(search_, mine, run_);
    answer.lists = search_.lists_of(blocks_.begin(ranks_.rank()), blocks_.end(ranks_.rank()), mine, run_);
    return answer;
  }

 private:
  std::optional<SharedPlan> lead() {
    std::optional<CellPlan> plan = planner_.choose();
    if (!plan) {
      Packet packet;
      append_value(packet, Task::leave);
      static_cast<void>(ranks_.broadcast(std::move(packet), 0));
      return std::nullopt;
    }
    const auto groups = planner_.check().groups();
    static_cast<void>(ranks_.broadcast(packed(*plan, groups), 0));
    return SharedPlan{
        .cells = std::move(plan->cells), .reach = plan->reach, .sampled = {groups.begin(), groups.end()}};
  }

  std::optional<SharedPlan> follow() {
    for (;;) {
      const Packet packet = ranks_.broadcast({}, 0);
      PacketReader reader(packet);
      const Task task = reader.value<Task>();
      if (task == Task::leave) return std::nullopt;
      if (task == Task::find_nearest) {
        static_cast<void>(find_together(ranks_, search_, values_of<Item>(reader.rest()), run_));
        continue;
      }
      SharedPlan plan;
      plan.reach = reader.value<CellReach>();
      plan.sampled = reader.values<Item>(reader.value<std::uint64_t>());
      plan.cells =
          std::make_shared<const Cells>(search_.filter(), products_, search_.rows(), search_.view().cols,
                                        search_.facts().largest, values_of<float>(reader.rest()));
      return plan;
    }
  }

  /// Each rank looks for the cells of its part of the rows.
  [[nodiscard]] Cells::Members assign(const SharedPlan& plan) const {
    const RowBlocks parts(search_.rows(), ranks_.size());
    Packet packet;
    {
      const Cells::Places mine =
          plan.cells->places_of(parts.begin(ranks_.rank()), parts.end(ranks_.rank()), plan.reach, run_);
      append_bytes(packet, bytes_of(mine.counts));
      for (const std::vector<std::uint32_t>& cells : mine.cells) {
        append_value(packet, static_cast<std::uint64_t>(cells.size()));
        append_bytes(packet, bytes_of(cells));
      }
    }
    std::vector<Cells::Places> all;
    int rank = 0;
    for (Packet& theirs : ranks_.all_gather(packet)) {
      PacketReader reader(theirs);
      Cells::Places& places = all.emplace_back();
      places.counts = reader.values<std::uint32_t>(parts.count(rank++));
      while (!reader.done())
        places.cells.push_back(reader.values<std::uint32_t>(reader.value<std::uint64_t>()));
      theirs = {};
    }
    return plan.cells->members_at(std::move(all));
  }

  /// The largest first, each to the rank that has least to do.
  [[nodiscard]] std::vector<std::size_t> my_cells(const Cells::Members& members) const {
    std::vector<std::size_t> order(members.cells());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return members.of(a).size() > members.of(b).size();
    });
    std::vector<double> pairs(static_cast<std::size_t>(ranks_.size()), 0.0);
    std::vector<std::size_t> mine;
    for (const std::size_t cell : order) {
      const auto least = std::min_element(pairs.begin(), pairs.end());
      const auto size = static_cast<double>(members.of(cell).size());
      *least += size * size;
      if (least - pairs.begin() == ranks_.rank()) mine.push_back(cell);
    }
    return mine;
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
      for (const Item row : wanted) append_row(row, scorer, outgoing[static_cast<std::size_t>(rank)]);
    }
    for (const Packet& packet : ranks_.all_to_all(std::move(outgoing))) {
      PacketReader reader(packet);
      while (!reader.done()) take_row(reader, scorer);
    }
  }

  void append_row(Item row, ExactScorer& scorer, Packet& packet) {
    CandidateTable& table = search_.table();
    if (table.candidates(row).empty()) return;
    table.drop_the_hopeless(row, scorer);
    const auto held = table.candidates(row);
    append_value(packet, row);
    append_value(packet, static_cast<std::uint32_t>(held.size()));
    append_value(packet, table.bars()[row]);
    append_bytes(packet, std::as_bytes(held));
  }

  /// At least as many as are wanted of those given score no less than the bar that comes with them: so it may
  /// be raised once they are all offered.
  void take_row(PacketReader& reader, ExactScorer& scorer) {
    const auto row = reader.value<Item>();
    const auto count = reader.value<std::uint32_t>();
    const auto bar = reader.value<float>();
    for (const Candidate& other : reader.values<Candidate>(count))
      search_.table().offer_again(row, other.row, other.upper, scorer);
    search_.table().raise(row, bar);
  }

  Communicator& ranks_;
  const RowBlocks& blocks_;
  NeighborSearch& search_;
  const TileKernel& products_;
  const ApproximateOptions& options_;
  const Run& run_;
  CellPlanner planner_;
};

}  // namespace

ApproximateNeighbors approximate_across(Communicator& ranks, const RowBlocks& blocks, const MatrixView& view,
                                        Metric metric, std::uint32_t k, const ApproximateOptions& options,
                                        const Run& run, const NeighborTuning& tuning) {
  const NeighborTuning own = tuning_for_cells(tuning, k);
  const auto search =
      together(ranks, [&] { return std::make_unique<NeighborSearch>(view, metric, k, run, own); });
  return CellSearch(ranks, blocks, *search, find_kernel(own.cell_kernel), k, options, run).run();
}

}  // namespace pith
