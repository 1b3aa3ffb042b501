#include <fmt/format.h>

#include <cstdlib>

#include "cube_graph.h"
#include "memory.h"
#include "pith/pith.h"

// Facility location on the graph of a million points in a cube, 10 neighbours, 10% chosen: seconds, also in
// units of std::sort on a million (double, uint32) pairs, and memory; then the same by the other optimizers,
// with what they lose of f.
//
//   bench_facility [items] [threads]

namespace {

pith::SelectInput make_input(std::size_t items, const pith::Run& run) {
  pith::GraphInfo info;
  info.neighbors = 10;
  info.metric = pith::Metric::l2;
  pith::SelectInput input;
  input.graph = pith::symmetrise(bench::cube_neighbors(items, 10), info, run);
  input.predictions.classes = 2;
  input.predictions.best.assign(items, 0);
  input.predictions.second.assign(items, 1);
  input.predictions.margin.assign(items, 0.5);
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t items = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  pith::Run run;
  run.threads = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 0;
  const pith::SelectInput input = make_input(items, run);
  auto pairs = bench::pairs_to_sort();
  const double sort = bench::seconds_of([&] { std::sort(pairs.begin(), pairs.end()); });
  pairs = {};

  const std::pair<const char*, pith::Optimizer> optimizers[] = {{"lazy", pith::Optimizer::lazy},
                                                                {"stochastic", pith::Optimizer::stochastic},
                                                                {"threshold", pith::Optimizer::threshold}};
  double exact = 0;
  for (const auto& [name, optimizer] : optimizers) {
    pith::SelectOptions options;
    options.strategy = "facility-location";
    options.budget.amount = 0.1;
    options.greedy.optimizer = optimizer;
    bench::reset_peak();
    const double before = bench::status_bytes("RssAnon");
    pith::Selection selection;
    const double seconds = bench::seconds_of([&] { selection = pith::select(input, options, run); });
    const double bytes = bench::status_bytes("VmHWM") - bench::status_bytes("RssFile") - before;
    if (optimizer == pith::Optimizer::lazy) exact = selection.objective.total;
    double choose = 0;
    for (const auto& [stage, time] : selection.seconds)
      if (stage == "choose") choose = time;
    fmt::print(
        "{:<11}{:7.2f} s = {:5.1f} x std::sort of 1,000,000 pairs ({:.3f} s), choosing alone {:.2f} s; "
        "{:.0f} "
        "bytes an item; f {:.1f} = {:.4f} x lazy, certificate {:.4f}\n",
        name, seconds, seconds / sort, sort, choose, bytes / static_cast<double>(items),
        selection.objective.total, selection.objective.total / exact, selection.certificate.ratio);
  }
  fmt::print("targets at 1,000,000 items: lazy within 60 s and 500 bytes an item\n");
}
