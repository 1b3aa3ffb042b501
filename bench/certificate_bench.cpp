#include <fmt/format.h>

#include <cstdlib>

#include "constraint/balance.h"
#include "cube_graph.h"
#include "graph/triangles.h"
#include "objective/objective.h"
#include "pipeline/certificate.h"
#include "pipeline/synth.h"
#include "pith/pith.h"

// Which prefix of the picks gives the tightest bound, and what a probe costs: the evidence for how many
// prefixes a large run looks at. Figures are without the constant part k * l2 * U.
//
//   bench_certificate [embeddings probs]      (else 20,000 made-up items of 100 classes)

int main(int argc, char** argv) {
  const pith::Run run;
  pith::SelectInput input;
  std::vector<float> probs;
  if (argc > 2) {
    input.embeddings = pith::read_matrix(argv[1]);
    input.predictions =
        pith::read_predictions(pith::read_matrix(argv[2]), false, pith::UncertaintyKind::margin);
  } else {
    pith::SynthData data = pith::synthesize({.items = 20'000, .classes = 100, .long_tail = 10});
    input.embeddings = pith::Matrix::of_floats(std::move(data.embeddings), 20'000, 64, "synth");
    input.predictions =
        pith::read_predictions(pith::Matrix::of_floats(std::move(data.probs), 20'000, 100, "synth"), false,
                               pith::UncertaintyKind::margin);
  }
  input.graph = pith::build_graph(input.embeddings, {}, run);
  for (const double share : {0.01, 0.1, 0.5}) {
    pith::SelectOptions options;
    options.strategy = "submod";
    options.balance.balance = pith::BalanceKind::class_only;
    options.budget.amount = share;
    const pith::Selection selection = pith::select(input, options, run);
    const pith::SelectOptions& used = selection.options;
    const pith::Triangles triangles = pith::find_triangles(
        *input.graph, {used.objective.area_threshold, used.objective.area_quantile}, run);
    const pith::Objective objective = pith::make_objective({.predictions = input.predictions,
                                                            .graph = *input.graph,
                                                            .triangles = triangles,
                                                            .scores = {},
                                                            .embeddings = nullptr,
                                                            .memory_bytes = {},
                                                            .options = used.objective,
                                                            .run = run});
    const pith::Pool pool = pith::Pool::of_all(input.predictions.size());
    const auto budget = static_cast<std::int64_t>(selection.picks.size());
    pith::Balance balance =
        pith::make_balance(input.predictions, pool, budget, pith::BalanceKind::class_only, used.balance);
    for (std::size_t c = 0; c < selection.class_groups.size(); ++c)
      balance.classes.cap[c] = selection.class_groups[c].cap;

    pith::ObjectiveState state(objective);
    const pith::ObjectiveState none(objective);
    const double constant = objective.constant() * static_cast<double>(budget);
    double value = 0;
    double least_sum = 0;
    double slowest = 0;
    fmt::print("budget {} of {}, reached {:.1f}; bound by prefix:", budget, selection.items,
               selection.objective.total - constant);
    for (std::size_t at = 0;; ++at) {
      if (at * 8 % selection.picks.size() < 8) {
        pith::UpperBound bound(objective, none, balance, pool, budget, run);
        slowest = std::max(slowest, bench::seconds_of([&] { bound.probe(state, value, least_sum, run); }));
        fmt::print(" {}: {:.1f}", at, bound.value() - constant);
      }
      if (at == selection.picks.size()) break;
      const pith::Item item = selection.picks[at].item;
      value += state.gain(item);
      least_sum += objective.least_gain(item);
      state.add(item);
    }
    pith::UpperBound bound(objective, none, balance, pool, budget, run);
    const double refine = bench::seconds_of([&] { bound.refine(*input.graph, value, 60, run); });
    fmt::print(
        "; over the edges {:.1f}\n  a probe took up to {:.1f} ms, 60 rounds over the edges {:.1f} ms\n",
        bound.value() - constant, slowest * 1e3, refine * 1e3);
  }
}
