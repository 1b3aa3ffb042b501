#include "pipeline/measure.h"

#include <algorithm>
#include <future>
#include <limits>

#include "pipeline/certificate.h"

namespace pith {
namespace {

/// How much work the certificate is worth: about as much as the greedy itself.
struct CertificatePlan {
  std::size_t
      every;  ///< so many picks a prefix is probed; 0: the empty one alone, where the refinement starts
  int rounds;

  CertificatePlan(std::size_t items, std::size_t picks) : every(1), rounds(60) {
    constexpr std::size_t prefixes = 8;
    if (items * (picks + 1) > (1U << 22)) every = (picks + prefixes - 1) / prefixes;
    if (items > 200'000) {
      every = 0;
      rounds = 1;
    }
  }
  [[nodiscard]] bool probes(std::size_t picked, std::size_t picks) const noexcept {
    return every != 0 && (picked % every == 0 || picked == picks);
  }
};

void count_represented(Selection& selection, const Graph& graph) {
  struct Nearest {
    float dissimilarity = std::numeric_limits<float>::infinity();
    std::uint32_t row = std::numeric_limits<std::uint32_t>::max();
  };
  std::vector<Nearest> nearest(graph.size());
  const auto& rows = selection.picks;
  const auto offer = [&](Item item, float dissimilarity, std::uint32_t row) {
    Nearest& best = nearest[item];
    if (dissimilarity < best.dissimilarity ||
        (dissimilarity == best.dissimilarity && rows[row].item < rows[best.row].item))
      best = {dissimilarity, row};
  };
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    const auto neighbors = graph.neighbors(rows[row].item);
    const auto dissimilarities = graph.dissimilarities(rows[row].item);
    for (std::size_t at = 0; at < neighbors.size(); ++at) offer(neighbors[at], dissimilarities[at], row);
  }
  for (std::uint32_t row = 0; row < rows.size(); ++row)
    nearest[rows[row].item] = {-1.0F, row};  // a pick stands for itself, whatever lies beside it
  for (const Nearest& best : nearest) {
    if (best.row >= rows.size()) continue;
    ++selection.picks[best.row].represents;
    ++selection.represented;
  }
}

}  // namespace

void measure_picks(Selection& selection, const std::vector<Pick>& picks, const Predictions& predictions,
                   const Graph& graph, const Objective& objective, const Balance& balance, const Pool& pool,
                   const Run& run) {
  // Beside the replay below, which one thread does; they write different members of the rows.
  std::future<void> represented =
      std::async(run.thread_count() > 1 ? std::launch::async : std::launch::deferred,
                 [&] { count_represented(selection, graph); });
  ObjectiveState state(objective);
  for (const Item item : pool.labelled) state.add(item);

  UpperBound bound(objective, state, balance, pool, static_cast<std::int64_t>(picks.size()), run);
  const CertificatePlan plan(graph.size(), picks.size());
  const double constant = objective.constant();
  double least_sum = 0;
  for (std::size_t at = 0;; ++at) {
    if (plan.probes(at, picks.size())) bound.probe(state, selection.objective.total, least_sum);
    if (at == picks.size()) break;
    const Item item = picks[at].item;
    if (at + 8 < picks.size()) state.expect(picks[at + 8].item);
    PickRow& row = selection.picks[at];
    row.uncertainty = predictions.uncertainty()[item];
    row.gain = state.gain(item);
    const double diversity = state.part_gain(1, item);
    row.pair_penalty = constant - diversity;
    row.triple_gain = state.part_gain(2, item);
    selection.objective.total += row.gain;
    selection.objective.uncertainty += state.part_gain(0, item);
    selection.objective.diversity += diversity;
    selection.objective.triple += row.triple_gain;
    least_sum += objective.least_gain(item);
    state.add(item);
  }

  represented.get();
  bound.refine(graph, selection.objective.total, plan.rounds);

  Certificate& certificate = selection.certificate;
  certificate.upper_bound = bound.value();
  const double total = selection.objective.total;
  certificate.ratio = bound.value() > 0 ? std::min(1.0, total / bound.value()) : 1.0;
  const double constant_part = constant * static_cast<double>(picks.size());
  if (bound.value() - constant_part > 0)
    certificate.ratio_without_constant =
        std::min(1.0, (total - constant_part) / (bound.value() - constant_part));
}

}  // namespace pith
