#include "graph/graph_stats.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "base/parallel.h"
#include "base/rng.h"
#include "graph/metric.h"
#include "graph/rows.h"
#include "pith/error.h"

namespace pith {
namespace {

/// Union-find with path halving; the lower root wins.
std::uint64_t count_components(const Graph& graph) {
  std::vector<Item> parent(graph.size());
  std::iota(parent.begin(), parent.end(), Item{0});
  const auto root_of = [&](Item item) {
    while (parent[item] != item) item = parent[item] = parent[parent[item]];
    return item;
  };
  std::uint64_t components = graph.size();
  for (Item i = 0; i < graph.size(); ++i)
    for (const Item j : graph.neighbors(i)) {
      if (j < i) continue;
      const Item a = root_of(i);
      const Item b = root_of(j);
      if (a == b) continue;
      parent[std::max(a, b)] = std::min(a, b);
      --components;
    }
  return components;
}

std::array<double, 5> quantiles_of(std::vector<float> values) {
  std::array<double, 5> quantiles = {};
  if (values.empty()) return quantiles;
  std::sort(values.begin(), values.end());
  for (std::size_t q = 0; q < quantiles.size(); ++q) {
    const double position = static_cast<double>(q) / 4 * static_cast<double>(values.size() - 1);
    const auto at = static_cast<std::size_t>(position);
    const auto low = static_cast<double>(values[at]);
    const auto high = static_cast<double>(values[std::min(at + 1, values.size() - 1)]);
    quantiles[q] = low + (high - low) * (position - static_cast<double>(at));
  }
  return quantiles;
}

}  // namespace

GraphStats graph_stats(const Graph& graph, const Run& run) {
  GraphStats stats;
  stats.items = graph.size();
  stats.edges = graph.edge_count();
  if (graph.size() == 0) return stats;
  run.check_cancelled();
  stats.min_degree = graph.neighbors(0).size();
  std::vector<float> lengths;
  lengths.reserve(graph.edge_count());
  for (Item i = 0; i < graph.size(); ++i) {
    const auto row = graph.neighbors(i);
    stats.min_degree = std::min<std::uint64_t>(stats.min_degree, row.size());
    stats.max_degree = std::max<std::uint64_t>(stats.max_degree, row.size());
    stats.isolated += static_cast<std::uint64_t>(row.empty());
    for (std::size_t at = 0; at < row.size(); ++at)
      if (row[at] > i) lengths.push_back(graph.dissimilarities(i)[at]);
  }
  const auto items = static_cast<double>(stats.items);
  const auto edges = static_cast<double>(stats.edges);
  stats.mean_degree = 2 * edges / items;
  run.check_cancelled();
  stats.components = count_components(graph);
  stats.dissimilarity_quantiles = quantiles_of(std::move(lengths));
  if (stats.edges != 0)
    stats.mutual_share = graph.info().symmetry == Symmetry::mutual
                             ? 1
                             : std::max(0.0, (items * graph.info().neighbors - edges) / edges);
  return stats;
}

double measure_recall(const Graph& graph, const Matrix& embeddings, std::size_t sample, std::uint64_t seed,
                      const Run& run) {
  const std::size_t n = graph.size();
  const std::size_t k = graph.info().neighbors;
  if (n != embeddings.rows())
    throw Error(ErrorKind::bad_input, "the graph has " + std::to_string(n) + " items, " + embeddings.source +
                                          " " + std::to_string(embeddings.rows()) + " rows");
  if (k == 0 || k >= n) return 1;
  // The first `sample` places of a Fisher-Yates shuffle.
  std::vector<Item> items(n);
  std::iota(items.begin(), items.end(), Item{0});
  sample = std::min(sample, n);
  if (sample == 0) return 1;
  Rng rng(seed);
  for (std::size_t at = 0; at < sample; ++at) std::swap(items[at], items[at + rng.below(n - at)]);

  const MatrixView& view = embeddings.view;
  const Metric metric = graph.info().metric;
  std::vector<double> squares(metric == Metric::cosine ? n : 0);
  parallel_for(run, squares.size(), 1024, [&](std::size_t begin, std::size_t end, unsigned) {
    RowReader reader(view);
    for (std::size_t i = begin; i < end; ++i)
      squares[i] = squared_norm(reader.row(static_cast<Item>(i), 0), view.cols);
  });
  const auto square = [&](Item item) { return squares.empty() ? 0.0 : squares[item]; };
  std::atomic<std::uint64_t> found{0};
  parallel_for(run, sample, 1, [&](std::size_t at, std::size_t, unsigned) {
    const Item item = items[at];
    RowReader reader(view);
    const float* x = reader.row(item, 0);
    std::vector<std::pair<double, Item>> others;
    others.reserve(n - 1);
    for (Item other = 0; other < n; ++other) {
      if (other % 65536 == 0) run.check_cancelled();
      if (other == item) continue;
      others.emplace_back(
          dissimilarity(metric, x, reader.row(other, 1), view.cols, square(item), square(other)), other);
    }
    std::nth_element(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(k) - 1, others.end());
    const auto row = graph.neighbors(item);
    for (std::size_t place = 0; place < k; ++place)
      found += static_cast<std::uint64_t>(std::binary_search(row.begin(), row.end(), others[place].second));
  });
  return static_cast<double>(found) / static_cast<double>(sample * k);
}

}  // namespace pith
