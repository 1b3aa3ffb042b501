#include "ranks/bounding.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "ranks/order_statistic.h"
#include "ranks/rank_greedy.h"

namespace pith {
namespace {

/// The two bounds of every own item's gain as items are included and excluded.
class Bounds {
 public:
  Bounds(const BoundingTask& task, Pool& pool)
      : ranks_(task.ranks),
        graph_(task.scene.graph()),
        pool_(pool),
        upper_(task.scene.objective()),
        lower_(task.scene.objective()) {
    for (Item local = 0; local < graph_.size(); ++local) {
      const Pool::State state = pool_.state[graph_.item_of(local)];
      if (state == Pool::State::labelled) upper_.add(local);
      if (state != Pool::State::excluded) lower_.add(local);
    }
  }

  /// One step; how many were included and excluded, the included ones added to `picks`.
  std::pair<std::uint64_t, std::uint64_t> step(std::uint64_t budget, std::vector<Pick>& picks) {
    struct Bounded {
      double lower;
      double upper;
      Item item;
    };
    std::vector<Bounded> open;
    std::vector<double> lowers;
    std::vector<double> uppers;
    for (Item local = graph_.own_begin(); local < graph_.own_end(); ++local) {
      if (pool_.state[graph_.item_of(local)] != Pool::State::candidate) continue;
      open.push_back({lower_.gain(local), upper_.gain(local), graph_.item_of(local)});
      lowers.push_back(open.back().lower);
      uppers.push_back(open.back().upper);
    }
    const std::uint64_t count = sum_of(ranks_, open.size());
    if (budget == 0 || count <= budget) return {0, 0};
    std::sort(lowers.begin(), lowers.end());
    std::sort(uppers.begin(), uppers.end());
    const double least_lower = order_statistic(ranks_, lowers, count - budget);
    const double least_upper = order_statistic(ranks_, uppers, count - budget);
    std::vector<Pick> in;
    std::vector<Item> out;
    for (const Bounded& one : open) {
      if (one.lower > least_upper) in.push_back({.item = one.item, .score = one.upper});
      if (one.upper < least_lower) out.push_back(one.item);
    }
    in = gather_all(ranks_, in);
    out = gather_all(ranks_, out);
    for (const Pick& pick : in) {
      pool_.state[pick.item] = Pool::State::labelled;
      pool_.labelled.push_back(pick.item);
      pool_.labelled_class.push_back(no_group);
      if (const auto local = graph_.local_of(pick.item)) upper_.add(*local);
    }
    for (const Item item : out) {
      pool_.state[item] = Pool::State::excluded;
      if (const auto local = graph_.local_of(item)) lower_.remove(*local);
    }
    picks.insert(picks.end(), in.begin(), in.end());
    return {in.size(), out.size()};
  }

 private:
  Communicator& ranks_;
  const RankGraph& graph_;
  Pool& pool_;
  ObjectiveState upper_;  ///< given what is included
  ObjectiveState lower_;  ///< given everything that is not excluded
};

std::uint32_t partition_of(const BoundingTask& task, int round, Item item) {
  return static_cast<std::uint32_t>(mix64(mix64(task.seed + static_cast<std::uint64_t>(round)) ^ item) %
                                    static_cast<std::uint64_t>(task.partitions));
}

/// This rank's rows without the edges between partitions. Labelled items belong to all of them.
GraphRows rows_within(const BoundingTask& task, const Pool& pool, int round) {
  const RankGraph& graph = task.scene.graph();
  GraphRows rows;
  const auto everywhere = [&](Item item) { return pool.state[item] == Pool::State::labelled; };
  for (Item local = graph.own_begin(); local < graph.own_end(); ++local) {
    const Item item = graph.item_of(local);
    const auto neighbors = graph.graph().neighbors(local);
    for (std::size_t at = 0; at < neighbors.size(); ++at) {
      const Item other = graph.item_of(neighbors[at]);
      if (!everywhere(item) && !everywhere(other) &&
          partition_of(task, round, item) != partition_of(task, round, other))
        continue;
      rows.neighbors.push_back(other);
      rows.dissimilarities.push_back(graph.graph().dissimilarities(local)[at]);
    }
    rows.offsets.push_back(rows.neighbors.size());
  }
  return rows;
}

/// Partitions, times classes where these have caps, as groups that may keep their share of `target`.
Balance shares_of(const BoundingTask& task, const Pool& pool, int round, double target) {
  const Partition& classes = task.balance.classes;
  const std::size_t kinds = classes.active ? classes.groups() : 1;
  const auto parts = static_cast<std::size_t>(task.partitions);
  const std::size_t n = pool.state.size();
  Balance balance;
  Partition& groups = balance.classes;
  groups.active = true;
  groups.group_of.assign(n, no_group);
  groups.available.assign(kinds * parts, 0);
  groups.labelled.assign(kinds * parts, 0);
  std::vector<double> of_kind(kinds, 0);
  for (Item item = 0; item < n; ++item) {
    if (pool.state[item] != Pool::State::candidate) continue;
    const std::size_t kind = classes.active ? classes.group_of[item] : 0;
    const std::size_t group = kind * parts + partition_of(task, round, item);
    groups.group_of[item] = static_cast<std::uint32_t>(group);
    ++groups.available[group];
    of_kind[kind] += 1;
  }
  double room_in_all = 0;
  for (std::size_t kind = 0; kind < kinds; ++kind)
    room_in_all += classes.active ? std::min(of_kind[kind], static_cast<double>(classes.room(kind))) : 1;
  for (std::size_t group = 0; group < kinds * parts; ++group) {
    const std::size_t kind = group / parts;
    const double room = classes.active ? std::min(of_kind[kind], static_cast<double>(classes.room(kind))) : 1;
    const double share =
        of_kind[kind] == 0 ? 0 : static_cast<double>(groups.available[group]) / of_kind[kind];
    groups.cap.push_back(static_cast<std::int64_t>(std::ceil(target * room / room_in_all * share)));
  }
  groups.cap_requested = groups.cap;
  return balance;
}

/// Leaves only what greedies within the partitions take.
void thin_out(const BoundingTask& task, Pool& pool, int round, double target) {
  const RankScene parts(task.ranks, task.scene, rows_within(task, pool, round), task.sources);
  const Balance balance = shares_of(task, pool, round, target);
  const std::vector<Pick> kept = run_greedy_across({.ranks = task.ranks,
                                                    .scene = parts,
                                                    .balance = balance,
                                                    .pool = pool,
                                                    .budget = static_cast<std::int64_t>(pool.candidates()),
                                                    .run = task.run});
  for (Pool::State& state : pool.state)
    if (state == Pool::State::candidate) state = Pool::State::excluded;
  for (const Pick& pick : kept) pool.state[pick.item] = Pool::State::candidate;
}

}  // namespace

BoundingResult run_bounding(const BoundingTask& task) {
  BoundingResult result;
  Pool pool = task.pool;
  auto budget = static_cast<std::uint64_t>(std::max<std::int64_t>(0, task.budget));
  if (!task.balance.classes.active && !task.balance.boundaries.active) {
    Bounds bounds(task, pool);
    for (bool changed = true; changed;) {
      task.run.check_cancelled();
      const auto [included, excluded] = bounds.step(budget, result.picks);
      budget -= included;
      result.included += included;
      result.excluded += excluded;
      changed = included + excluded > 0;
    }
  }
  const auto n = static_cast<double>(pool.candidates());
  for (int round = 1; round < task.rounds && budget > 0 && n > static_cast<double>(budget); ++round) {
    task.run.check_cancelled();
    const double share = static_cast<double>(budget) / n;
    thin_out(task, pool, round, n * std::pow(share, static_cast<double>(round) / task.rounds));
  }
  const std::vector<Pick> last = run_greedy_across({.ranks = task.ranks,
                                                    .scene = task.scene,
                                                    .balance = task.balance,
                                                    .pool = pool,
                                                    .budget = static_cast<std::int64_t>(budget),
                                                    .run = task.run});
  result.picks.insert(result.picks.end(), last.begin(), last.end());
  // The rounds know nothing of boundaries: what they left may hold too little of one for the caps' budget.
  if (static_cast<std::int64_t>(result.picks.size()) < task.budget)
    result.picks = run_greedy_across({.ranks = task.ranks,
                                      .scene = task.scene,
                                      .balance = task.balance,
                                      .pool = task.pool,
                                      .budget = task.budget,
                                      .run = task.run,
                                      .start = std::move(result.picks)});
  return result;
}

}  // namespace pith
