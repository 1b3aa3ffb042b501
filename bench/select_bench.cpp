#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>

#include "cube_graph.h"
#include "memory.h"
#include "pipeline/outputs.h"
#include "pith/pith.h"

// Everything after the graph at a million items: triangles, objective, caps, greedy, certificate and the
// written outputs, in units of std::sort on a million (double, uint32) pairs; and the memory it takes.
//
//   bench_select [items] [threads] [strategy] [graph.pith]
//
// The graph is that of random points in a cube, or as many copies of the given one as make up the items.
// Either way items are numbered at random, so that rows have no locality.

namespace {

/// Best and second class at random, the second among 150 classes near the first: 75,000 boundaries, the 15%
/// of all pairs that the paper found on ImageNet.
pith::Predictions make_predictions(std::size_t n, std::uint32_t classes) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  pith::Predictions predictions;
  predictions.classes = classes;
  for (std::size_t item = 0; item < n; ++item) {
    const auto best = static_cast<std::uint32_t>(rng() % classes);
    const auto step = static_cast<std::uint32_t>(1 + rng() % 75);
    predictions.best.push_back(best);
    predictions.second.push_back((best + (rng() % 2 == 0 ? step : classes - step)) % classes);
    predictions.margin.push_back(uniform(rng));
  }
  return predictions;
}

/// Copies of a graph side by side, renumbered at random.
pith::Graph repeat_graph(const pith::Graph& graph, std::size_t items) {
  const std::size_t copies = std::max<std::size_t>(1, items / graph.size());
  const std::size_t n = copies * graph.size();
  std::vector<pith::Item> number(n);
  std::iota(number.begin(), number.end(), pith::Item{0});
  std::shuffle(number.begin(), number.end(), std::mt19937_64(5));
  std::vector<pith::Item> origin(n);
  for (pith::Item at = 0; at < n; ++at) origin[number[at]] = at;

  std::vector<std::uint64_t> offsets = {0};
  std::vector<pith::Item> neighbors;
  std::vector<float> dissimilarities;
  std::vector<std::pair<pith::Item, float>> row;
  for (std::size_t item = 0; item < n; ++item) {
    const auto source = static_cast<pith::Item>(origin[item] % graph.size());
    const std::size_t base = origin[item] - source;
    row.clear();
    for (std::size_t at = 0; at < graph.neighbors(source).size(); ++at)
      row.emplace_back(number[base + graph.neighbors(source)[at]], graph.dissimilarities(source)[at]);
    std::sort(row.begin(), row.end());
    for (const auto& [other, dissimilarity] : row) {
      neighbors.push_back(other);
      dissimilarities.push_back(dissimilarity);
    }
    offsets.push_back(neighbors.size());
  }
  return pith::Graph::of_rows(graph.info(), std::move(offsets), std::move(neighbors),
                              std::move(dissimilarities));
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t items = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  pith::Run run;
  run.threads = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 0;
  pith::SelectOptions options;
  if (argc > 3) options.strategy = argv[3];
  options.budget.amount = 0.1;

  const auto folder = std::filesystem::temp_directory_path() / fmt::format("pith-bench-{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string graph_path = (folder / "graph.pith").string();
  {
    pith::GraphInfo info;
    info.neighbors = 10;
    pith::save_graph(argc > 4 ? repeat_graph(pith::load_graph(argv[4]), items)
                              : pith::symmetrise(bench::cube_neighbors(items, 10), info, run),
                     graph_path);
  }
  pith::SelectInput input;
  input.graph = pith::load_graph(graph_path);
  const std::size_t n = input.graph->size();
  input.predictions = make_predictions(n, 1000);

  const auto pairs = bench::pairs_to_sort();
  double sort = 1e300;
  double whole = 1e300;
  double bytes = 0;
  pith::Selection selection;
  for (int round = 0; round < 5; ++round) {
    auto copy = pairs;
    sort = std::min(sort, bench::seconds_of([&] { std::sort(copy.begin(), copy.end()); }));
    copy = {};
    selection = {};
    bench::reset_peak();
    const double before = bench::status_bytes("RssAnon");
    whole = std::min(whole, bench::seconds_of([&] {
                       selection = pith::select(input, options, run);
                       pith::write_selection((folder / fmt::format("out-{}", round)).string(), selection, {},
                                             {}, run);
                     }));
    bytes = std::max(bytes, bench::status_bytes("VmHWM") - bench::status_bytes("RssFile") - before);
  }
  std::filesystem::remove_all(folder);

  fmt::print("{} items, {} edges, {} triangles, {} boundaries, {} picks, certificate {:.4f}\n", n,
             selection.edges, selection.triangles, selection.boundaries.size(), selection.picks.size(),
             selection.certificate.ratio);
  for (const auto& [stage, seconds] : selection.seconds) fmt::print("  {:<12}{:7.3f} s\n", stage, seconds);
  fmt::print("{} with outputs: {:.3f} s = {:.2f} x std::sort of 1,000,000 pairs ({:.3f} s); target 12 x\n",
             options.strategy, whole, whole / sort, sort);
  fmt::print("memory beyond the inputs: {:.0f} bytes an item; target 400\n", bytes / static_cast<double>(n));
}
