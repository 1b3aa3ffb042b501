#include "pipeline/certificate.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "pipeline/best_total.h"
#include "pipeline/knapsack_total.h"

namespace pith {
namespace {

/// A gain can take a whole row of a dense matrix.
constexpr std::size_t gains_between_checks = 64;

/// Sums of each chunk in item order, added up in chunk order: the same for any number of threads.
template <class Body>
double sum_chunks(const Run& run, std::size_t count, std::size_t chunk, Body body) {
  std::vector<double> sums((count + chunk - 1) / chunk, 0.0);
  parallel_for(run, count, chunk, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    double sum = 0;
    for (std::size_t item = begin; item < end; ++item) sum += body(static_cast<Item>(item));
    sums[begin / chunk] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

UpperBound::UpperBound(const Objective& objective, const ObjectiveState& labelled_only, const Pool& pool,
                       std::size_t most_items, const Run& run)
    : objective_(&objective), pool_(pool), most_items_(most_items), gains_(objective.items(), 0.0) {
  parallel_for(run, gains_.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    for (std::size_t at = begin; at < end; ++at) {
      if (at % gains_between_checks == 0) run.check_cancelled();
      if (pool.state[at] == Pool::State::candidate) gains_[at] = labelled_only.gain(static_cast<Item>(at));
    }
  });
}

UpperBound::UpperBound(const Objective& objective, const ObjectiveState& labelled_only,
                       const Balance& balance, const Pool& pool, std::int64_t budget, const Run& run)
    : UpperBound(objective, labelled_only, pool, static_cast<std::size_t>(budget), run) {
  relax(balance, budget);
}

UpperBound::UpperBound(std::vector<double> gains, const Balance& balance, const Pool& pool,
                       std::int64_t budget)
    : pool_(pool), most_items_(static_cast<std::size_t>(budget)), gains_(std::move(gains)) {
  relax(balance, budget);
}

void UpperBound::relax(const Balance& balance, std::int64_t budget) {
  // With neither constraint on, the class groups are unlimited and one relaxation is the problem itself.
  if (balance.classes.active || !balance.boundaries.active)
    relaxations_.push_back(std::make_unique<BestTotal>(balance.classes, pool_, budget));
  if (balance.boundaries.active)
    relaxations_.push_back(std::make_unique<BestTotal>(balance.boundaries, pool_, budget));
}

UpperBound::UpperBound(const Objective& objective, const ObjectiveState& labelled_only, const Pool& pool,
                       std::span<const double> costs, double cost_budget, const Run& run)
    : UpperBound(objective, labelled_only, pool, objective.items(), run) {
  relaxations_.push_back(std::make_unique<KnapsackTotal>(costs, cost_budget, pool));
}

void UpperBound::offer(double bound, double magnitude) {
  // Every sum behind a bound is nested at most this deep, each addition off by half an ulp of what it adds
  // up.
  const double rounding = 0x1p-52 * static_cast<double>(most_items_ + 2 * chunk + 64);
  value_ = std::min(value_, bound + rounding * magnitude);
}

void UpperBound::probe(const ObjectiveState& state, double value, double least_sum, const Run& run) {
  std::vector<double> weights(objective_->items());
  parallel_for(run, weights.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    for (std::size_t at = begin; at < end; ++at) {
      if (at % gains_between_checks == 0) run.check_cancelled();
      const auto item = static_cast<Item>(at);
      weights[at] = state.set().contains(item) ? objective_->least_gain(item) : state.gain(item);
    }
  });
  probe(weights, value, least_sum, run);
}

void UpperBound::probe(std::span<const double> weights, double value, double least_sum, const Run& run) {
  double best = std::numeric_limits<double>::infinity();
  for (const auto& relaxation : relaxations_) best = std::min(best, relaxation->solve(weights, run).total);
  offer(value - least_sum + best, value + least_sum + best);
}

void UpperBound::prepare(const Run& run) {
  if (tightest_ != nullptr) return;
  for (const auto& relaxation : relaxations_) {
    WeightRelaxation::Answer answer = relaxation->solve(gains_, run);
    if (tightest_ != nullptr && answer.total >= at_rest_.total) continue;
    at_rest_ = std::move(answer);
    tightest_ = relaxation.get();
  }
}

void UpperBound::refine(const Graph& graph, double target, int rounds, const Run& run) {
  prepare(run);
  const std::size_t n = objective_->items();
  // q of an edge stands in the rows of both its ends; both are moved by the same arithmetic and stay equal.
  // Only edges between two candidates ever leave 0.
  const double loss = objective_->pair_loss(pool_.labelled.empty());
  const auto offsets = graph.offsets();
  // Empty while all are 0, and for good if the only round is the last: nobody would look at it again.
  std::vector<float> q;
  const auto q_at = [&](std::uint64_t at) { return q.empty() ? 0.0F : q[at]; };
  const auto largest_q = [&](float dissimilarity) {
    return largest_share(loss, graph.similarity(dissimilarity));
  };

  std::vector<double> weights = gains_;
  std::vector<std::uint8_t> taken(n, 0);
  double q_sum = 0;
  for (int round = 0;; ++round) {
    run.check_cancelled();
    const WeightRelaxation::Answer best = round == 0 ? at_rest_ : tightest_->solve(weights, run);
    const double bound = q_sum + best.total;
    offer(bound, q_sum + best.total);
    if (round == rounds || loss == 0) return;

    parallel_for(run, n, chunk, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
      for (std::size_t at = begin; at < end; ++at)
        taken[at] = pool_.state[at] == Pool::State::candidate &&
                            tightest_->takes(best, weights, static_cast<Item>(at))
                        ? 1
                        : 0;
    });
    // Subgradient of the bound in q: 1 - taken(i) - taken(j). It can move only edges with both ends taken and
    // q below its most, and edges with neither end taken and q above 0.
    const auto direction = [&](std::size_t item, std::uint64_t at) {
      const Item other = graph.all_neighbors()[at];
      if (taken[item] + taken[other] == 1) return 0;
      if (taken[item] == 1) return q_at(at) < largest_q(graph.all_dissimilarities()[at]) ? 1 : 0;
      return q_at(at) > 0 ? -1 : 0;
    };
    // Most rows have neither: nothing chosen, nothing raised.
    const auto at_rest = [&](Item item) { return taken[item] == 0 && weights[item] == gains_[item]; };
    const double moved = sum_chunks(run, n, chunk, [&](Item item) {
      if (at_rest(item)) return 0.0;
      int count = 0;
      for (std::uint64_t at = offsets[item]; at < offsets[item + 1]; ++at)
        count += direction(item, at) != 0 ? 1 : 0;
      return 0.5 * count;
    });
    if (moved == 0 || bound <= target) return;
    const double step = (bound - target) / moved;  // Polyak's
    if (round + 1 < rounds && q.empty()) q.assign(graph.all_neighbors().size(), 0.0F);
    q_sum = sum_chunks(run, n, chunk, [&](Item item) {
      if (at_rest(item)) return 0.0;
      double sum = 0;
      for (std::uint64_t at = offsets[item]; at < offsets[item + 1]; ++at) {
        const int way = direction(item, at);
        float value = q_at(at);
        if (way != 0) value = moved_by(value, way * step, largest_q(graph.all_dissimilarities()[at]));
        if (!q.empty()) q[at] = value;
        sum += static_cast<double>(value);
      }
      weights[item] = gains_[item] - sum;
      return 0.5 * sum;
    });
  }
}

}  // namespace pith
