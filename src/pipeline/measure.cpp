#include "pipeline/measure.h"

#include <algorithm>
#include <cmath>
#include <future>

#include "pipeline/representatives.h"

namespace pith {
namespace {

void count_represented(Selection& selection, const Graph& graph) {
  std::vector<Item> items;
  for (const PickRow& row : selection.picks) items.push_back(row.item);
  for (const std::uint32_t row : find_representatives(graph, items)) {
    if (row == no_pick) continue;
    ++selection.picks[row].represents;
    ++selection.represented;
  }
}

}  // namespace

CertificatePlan::CertificatePlan(std::size_t items, std::size_t picks, Reach reach)
    : every(1), rounds(60), probes_whole(reach > Reach::neighbors) {
  constexpr std::size_t prefixes = 8;
  const std::size_t steps_a_gain = reach == Reach::everybody ? 1 + items / 64 : 1;
  if (items * (picks + 1) > (1U << 22) / steps_a_gain) every = (picks + prefixes - 1) / prefixes;
  if (items > 200'000) {
    every = 0;
    rounds = 1;
  }
}

GainShares::GainShares(const Objective& objective, std::size_t picks)
    : uncertainty_(objective.find("uncertainty")),
      diversity_(objective.find("diversity")),
      triples_(objective.find("triples")) {
  if (diversity_)
    constant_ = objective.parts()[*diversity_].weight * objective.parts()[*diversity_].term->constant();
  for (std::size_t at = 0; at < objective.parts().size(); ++at) {
    if (at == uncertainty_ || at == diversity_ || at == triples_) continue;
    const Objective::Part& part = objective.parts()[at];
    other_parts_.push_back(at);
    others_.push_back({.name = std::string(part.term->name()), .weight = part.weight, .gains = {}});
    others_.back().gains.reserve(picks);
  }
}

void GainShares::note(std::span<const double> gains, PickRow& row, ObjectiveValue& value) {
  if (uncertainty_) value.uncertainty += gains[*uncertainty_];
  if (diversity_) {
    row.pair_penalty = constant_ - gains[*diversity_];
    value.diversity += gains[*diversity_];
  }
  if (triples_) {
    row.triple_gain = gains[*triples_];
    value.triple += row.triple_gain;
  }
  for (std::size_t other = 0; other < others_.size(); ++other) {
    const double gain = gains[other_parts_[other]];
    others_[other].gains.push_back(gain);
    others_[other].value += gain;
  }
}

void note_certificate(Selection& selection, double upper_bound, double constant) {
  Certificate& certificate = selection.certificate;
  certificate.upper_bound = upper_bound;
  const double total = selection.objective.total;
  if (!std::isfinite(total) || !std::isfinite(upper_bound)) return;  // terms of one's own; nothing is known
  certificate.ratio = upper_bound > 0 ? std::min(1.0, total / upper_bound) : 1.0;
  const double constant_part = constant * static_cast<double>(selection.picks.size());
  // With costs, sets differ in size and so in their constant part: there is nothing to leave out.
  // A difference within the rounding of its two sides says nothing.
  const double rest = upper_bound - constant_part;
  if (!selection.options.cost_budget && rest > 1e-9 * upper_bound)
    certificate.ratio_without_constant = std::min(1.0, (total - constant_part) / rest);
}

void measure_picks(Selection& selection, const std::vector<Pick>& picks, const Predictions& predictions,
                   const Graph& graph, const Objective& objective, const Pool& pool,
                   std::optional<UpperBound> bound, const Run& run) {
  // Beside the replay below, which one thread does; they write different members of the rows.
  std::future<void> represented =
      std::async(run.thread_count() > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred,
                 [&] { count_represented(selection, graph); });
  ObjectiveState state(objective);
  for (const Item item : pool.labelled) state.add(item);
  const CertificatePlan plan(graph.size(), picks.size(), objective.reach());
  GainShares shares(objective, picks.size());
  std::vector<double> gains(objective.parts().size());
  const double constant = objective.constant();
  double least_sum = 0;
  for (std::size_t at = 0;; ++at) {
    if (bound && plan.probes(at, picks.size()))
      bound->probe(state, selection.objective.total, least_sum, run);
    if (at == picks.size()) break;
    if (at % 64 == 0) run.check_cancelled();
    const Item item = picks[at].item;
    if (at + 8 < picks.size()) state.expect(picks[at + 8].item);
    PickRow& row = selection.picks[at];
    row.uncertainty = predictions.uncertainty()[item];
    row.gain = state.gain(item);
    selection.objective.total += row.gain;
    for (std::size_t part = 0; part < gains.size(); ++part) gains[part] = state.part_gain(part, item);
    shares.note(gains, row, selection.objective);
    least_sum += objective.least_gain(item);
    state.add(item);
  }

  selection.objective.others = shares.take_others();
  represented.get();
  if (!bound) {
    selection.certificate.upper_bound = std::numeric_limits<double>::infinity();
    return;
  }
  bound->refine(graph, selection.objective.total, plan.rounds, run);
  note_certificate(selection, bound->value(), constant);
}

}  // namespace pith
