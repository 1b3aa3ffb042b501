#include "ranks/measure_across.h"

#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "pipeline/measure.h"

namespace pith {
namespace {

/// A number for every item from those of the own ones.
template <class Value>
std::vector<double> of_all_items(Communicator& ranks, const RankGraph& graph, const Run& run, Value value) {
  std::vector<double> mine(graph.own_end() - graph.own_begin());
  parallel_for(run, mine.size(), 1 << 14, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    for (std::size_t at = begin; at < end; ++at) mine[at] = value(graph.own_begin() + static_cast<Item>(at));
  });
  return gather_all(ranks, mine);
}

/// How the certificate's weights follow from the edges of own items.
class EdgeShares {
 public:
  EdgeShares(const RankGraph& graph, double loss, const UpperBound& bound)
      : graph_(graph), here_(graph.graph()), loss_(loss), bound_(bound) {}

  /// Edges of own items, each end for itself, that the subgradient can move.
  [[nodiscard]] std::uint64_t count_moved(const std::vector<std::uint8_t>& taken,
                                          const std::vector<double>& weights) const {
    std::uint64_t count = 0;
    for (Item local = graph_.own_begin(); local < graph_.own_end(); ++local) {
      if (at_rest(local, taken, weights)) continue;
      for (std::uint64_t at = here_.offsets()[local]; at < here_.offsets()[local + 1]; ++at)
        count += direction(local, at, taken) != 0 ? 1 : 0;
    }
    return count;
  }
  /// Moves q by a step and gives back the sum over each own item's edges.
  [[nodiscard]] std::vector<double> move(const std::vector<std::uint8_t>& taken,
                                         const std::vector<double>& weights, double step, bool remember) {
    if (remember && q_.empty()) q_.assign(here_.all_neighbors().size(), 0.0F);
    std::vector<double> sums;
    for (Item local = graph_.own_begin(); local < graph_.own_end(); ++local) {
      double sum = 0;
      if (!at_rest(local, taken, weights))
        for (std::uint64_t at = here_.offsets()[local]; at < here_.offsets()[local + 1]; ++at) {
          const int way = direction(local, at, taken);
          float value = q_at(at);
          if (way != 0) value = UpperBound::moved_by(value, way * step, largest_q(at));
          if (!q_.empty()) q_[at] = value;
          sum += static_cast<double>(value);
        }
      sums.push_back(sum);
    }
    return sums;
  }

 private:
  [[nodiscard]] float q_at(std::uint64_t at) const { return q_.empty() ? 0.0F : q_[at]; }
  [[nodiscard]] float largest_q(std::uint64_t at) const {
    return UpperBound::largest_share(loss_, here_.similarity(here_.all_dissimilarities()[at]));
  }
  [[nodiscard]] bool at_rest(Item local, const std::vector<std::uint8_t>& taken,
                             const std::vector<double>& weights) const {
    const Item item = graph_.item_of(local);
    return taken[item] == 0 && weights[item] == bound_.gains()[item];
  }
  [[nodiscard]] int direction(Item local, std::uint64_t at, const std::vector<std::uint8_t>& taken) const {
    const std::uint8_t mine = taken[graph_.item_of(local)];
    if (mine + taken[graph_.item_of(here_.all_neighbors()[at])] == 1) return 0;
    if (mine == 1) return q_at(at) < largest_q(at) ? 1 : 0;
    return q_at(at) > 0 ? -1 : 0;
  }

  const RankGraph& graph_;
  const Graph& here_;
  double loss_;
  const UpperBound& bound_;
  std::vector<float> q_;
};

/// What a rank knows of one of its picks: its gain, part by part.
struct ReplayedPicks {
  std::vector<std::uint64_t> at;
  std::vector<double> gains;
  std::vector<double> least;
  std::vector<double> parts;  ///< as many a pick as f has
};

void count_represented(Communicator& ranks, Selection& selection, const RankGraph& graph) {
  std::vector<std::uint32_t> row_of(graph.size(), std::numeric_limits<std::uint32_t>::max());
  for (std::uint32_t row = 0; row < selection.picks.size(); ++row)
    if (const auto local = graph.local_of(selection.picks[row].item)) row_of[*local] = row;
  constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint64_t> represents(selection.picks.size() + 1, 0);
  for (Item local = graph.own_begin(); local < graph.own_end(); ++local) {
    std::uint32_t best = row_of[local];
    if (best == nobody) {
      float nearest = std::numeric_limits<float>::infinity();
      const auto neighbors = graph.graph().neighbors(local);
      const auto dissimilarities = graph.graph().dissimilarities(local);
      // Neighbours ascend: of equally near ones the lowest comes first.
      for (std::size_t at = 0; at < neighbors.size(); ++at)
        if (row_of[neighbors[at]] != nobody && dissimilarities[at] < nearest) {
          nearest = dissimilarities[at];
          best = row_of[neighbors[at]];
        }
    }
    if (best == nobody) continue;
    ++represents[best];
    ++represents.back();
  }
  ranks.sum(represents);
  for (std::size_t row = 0; row < selection.picks.size(); ++row)
    selection.picks[row].represents = static_cast<std::uint32_t>(represents[row]);
  selection.represented = static_cast<std::int64_t>(represents.back());
}

}  // namespace

void refine_across(Communicator& ranks, const RankScene& scene, const Pool& pool, UpperBound& bound,
                   double target, int rounds, const Run& run) {
  bound.prepare(run);
  const std::size_t n = scene.items();
  const double loss = scene.objective().pair_loss(pool.labelled.empty());
  EdgeShares shares(scene.graph(), loss, bound);
  std::vector<double> weights = bound.gains();
  std::vector<std::uint8_t> taken(n, 0);
  double q_sum = 0;
  for (int round = 0;; ++round) {
    run.check_cancelled();
    const WeightRelaxation::Answer best = round == 0 ? bound.at_rest() : bound.tightest().solve(weights, run);
    const double value = q_sum + best.total;
    bound.offer(value, value);
    if (round == rounds || loss == 0) return;
    for (std::size_t at = 0; at < n; ++at)
      taken[at] = pool.state[at] == Pool::State::candidate &&
                          bound.tightest().takes(best, weights, static_cast<Item>(at))
                      ? 1
                      : 0;
    const double moved = 0.5 * static_cast<double>(sum_of(ranks, shares.count_moved(taken, weights)));
    if (moved == 0 || value <= target) return;
    const double step = (value - target) / moved;
    const std::vector<double> sums = gather_all(ranks, shares.move(taken, weights, step, round + 1 < rounds));
    for (std::size_t at = 0; at < n; ++at) weights[at] = bound.gains()[at] - sums[at];
    q_sum = UpperBound::sum_in_chunks(n, [&](std::size_t at) { return 0.5 * sums[at]; });
  }
}

double objective_across(Communicator& ranks, const std::vector<Pick>& picks, const RankScene& scene,
                        const Pool& pool) {
  ObjectiveState state(scene.objective());
  const RankGraph& graph = scene.graph();
  for (const Item item : pool.labelled)
    if (const auto local = graph.local_of(item)) state.add(*local);
  struct Gain {
    std::uint64_t at = 0;
    double gain = 0;
  };
  std::vector<Gain> mine;
  for (std::size_t at = 0; at < picks.size(); ++at) {
    const auto local = graph.local_of(picks[at].item);
    if (!local) continue;
    if (graph.owns(*local)) mine.push_back({at, state.gain(*local)});
    state.add(*local);
  }
  std::vector<Gain> all = gather_all(ranks, mine);
  std::sort(all.begin(), all.end(), [](const Gain& a, const Gain& b) { return a.at < b.at; });
  double sum = 0;
  for (const Gain& one : all) sum += one.gain;
  return sum;
}

void measure_across(Communicator& ranks, Selection& selection, const std::vector<Pick>& picks,
                    const Predictions& predictions, const RankScene& scene, const Balance& balance,
                    const Pool& pool, const Run& run) {
  const RankGraph& graph = scene.graph();
  const Objective& objective = scene.objective();
  count_represented(ranks, selection, graph);
  ObjectiveState state(objective);
  for (const Item item : pool.labelled)
    if (const auto local = graph.local_of(item)) state.add(*local);
  UpperBound bound(of_all_items(ranks, graph, run,
                                [&](Item local) {
                                  return pool.state[graph.item_of(local)] == Pool::State::candidate
                                             ? state.gain(local)
                                             : 0.0;
                                }),
                   balance, pool, static_cast<std::int64_t>(picks.size()));

  // First everybody's gains, which only its owner knows; then the sums, in the order of the picks, by all.
  const std::size_t parts = objective.parts().size();
  const CertificatePlan plan(scene.items(), picks.size(), objective.reach());
  std::vector<std::vector<double>> probed;
  ReplayedPicks mine;
  for (std::size_t at = 0;; ++at) {
    if (plan.probes(at, picks.size()))
      probed.push_back(of_all_items(ranks, graph, run, [&](Item local) {
        return state.set().contains(local) ? objective.least_gain(local) : state.gain(local);
      }));
    if (at == picks.size()) break;
    if (at % 64 == 0) run.check_cancelled();
    const auto local = graph.local_of(picks[at].item);
    if (!local) continue;
    if (graph.owns(*local)) {
      mine.at.push_back(at);
      mine.gains.push_back(state.gain(*local));
      mine.least.push_back(objective.least_gain(*local));
      for (std::size_t part = 0; part < parts; ++part) mine.parts.push_back(state.part_gain(part, *local));
    }
    state.add(*local);
  }
  const std::vector<std::uint64_t> at = gather_all(ranks, mine.at);
  const std::vector<double> gains = gather_all(ranks, mine.gains);
  const std::vector<double> least = gather_all(ranks, mine.least);
  const std::vector<double> part_gains = gather_all(ranks, mine.parts);
  std::vector<std::size_t> place(picks.size());
  for (std::size_t from = 0; from < at.size(); ++from) place[at[from]] = from;

  GainShares shares(objective, picks.size());
  double least_sum = 0;
  std::size_t next_probe = 0;
  for (std::size_t pick = 0;; ++pick) {
    if (plan.probes(pick, picks.size()))
      bound.probe(probed[next_probe++], selection.objective.total, least_sum, run);
    if (pick == picks.size()) break;
    PickRow& row = selection.picks[pick];
    row.uncertainty = predictions.uncertainty()[row.item];
    row.gain = gains[place[pick]];
    selection.objective.total += row.gain;
    shares.note(std::span(part_gains).subspan(place[pick] * parts, parts), row, selection.objective);
    least_sum += least[place[pick]];
  }
  selection.objective.others = shares.take_others();
  refine_across(ranks, scene, pool, bound, selection.objective.total, plan.rounds, run);
  note_certificate(selection, bound.value(), objective.constant());
}

}  // namespace pith
