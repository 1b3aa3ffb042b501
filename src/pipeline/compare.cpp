#include "pipeline/compare.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <unordered_set>

#include "base/peak_memory.h"
#include "graph/build_graph.h"
#include "graph/triangles.h"
#include "objective/objective.h"
#include "objective/triples.h"
#include "pipeline/automatic.h"
#include "pipeline/check_input.h"
#include "pipeline/kept_selection.h"
#include "pipeline/plan_graph.h"
#include "strategy/nearest_center.h"
#include "strategy/registry.h"

namespace pith {
namespace {

/// f of a set beyond the labelled items, as the sum of its gains.
double value_beyond(const Objective& objective, const std::vector<Item>& labelled,
                    const std::vector<PickRow>& picks) {
  ObjectiveState state(objective);
  for (const Item item : labelled) state.add(item);
  double sum = 0;
  for (const PickRow& row : picks) {
    sum += state.gain(row.item);
    state.add(row.item);
  }
  return sum;
}

double entropy_of(const std::vector<GroupRow>& groups) {
  std::vector<std::int64_t> counts;
  counts.reserve(groups.size());
  for (const GroupRow& row : groups) counts.push_back(row.selected);
  return even_share(counts);
}

/// Of what the strategy itself needs: the others' objective is made to measure their picks by.
double seconds_of_choosing(const Selection& selection, const Strategy& strategy) {
  double sum = 0;
  for (const auto& [stage, seconds] : selection.seconds)
    if (stage == "caps" || stage == "choose" || (stage == "objective" && strategy.needs_objective))
      sum += seconds;
  return sum;
}

std::vector<std::vector<double>> overlaps(const std::vector<ComparisonRow>& rows) {
  std::vector<std::unordered_set<Item>> sets;
  for (const ComparisonRow& row : rows) {
    sets.emplace_back();
    for (const PickRow& pick : row.selection.picks) sets.back().insert(pick.item);
  }
  std::vector<std::vector<double>> jaccard(rows.size(), std::vector<double>(rows.size(), 1.0));
  for (std::size_t a = 0; a < sets.size(); ++a)
    for (std::size_t b = a + 1; b < sets.size(); ++b) {
      const auto shared = static_cast<std::size_t>(
          std::count_if(sets[a].begin(), sets[a].end(), [&](Item item) { return sets[b].contains(item); }));
      const std::size_t either = sets[a].size() + sets[b].size() - shared;
      jaccard[a][b] = jaccard[b][a] =
          either == 0 ? 1.0 : static_cast<double>(shared) / static_cast<double>(either);
    }
  return jaccard;
}

}  // namespace

SelectOptions options_beside_others(SelectOptions options, const std::string& name) {
  const Strategy& strategy = find_strategy(name);
  options.strategy = name;
  options.measure = true;
  if (!strategy.only_term.empty()) options.objective.terms.clear();
  if (!strategy.maximises_objective()) options.greedy = {};
  return options;
}

Plan plan_comparison(const SelectInput& input, const SelectOptions& options,
                     std::span<const std::string> strategies, const Run& run, std::uint64_t besides) {
  besides += bytes_of_comparison(input, options, strategies.size());
  Plan largest;
  for (const std::string& name : strategies) {
    Plan own = plan_selection(input, options_beside_others(options, name), run, besides);
    if (largest.stages.empty() || own.most_bytes() > largest.most_bytes()) largest = std::move(own);
  }
  return largest;
}

double even_share(std::span<const std::int64_t> counts) {
  const auto total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  if (counts.size() < 2 || total == 0) return 0;
  double entropy = 0;
  for (const std::int64_t count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / total;
    entropy -= share * std::log(share);
  }
  return std::clamp(entropy / std::log(static_cast<double>(counts.size())), 0.0, 1.0);
}

Coverage measure_coverage(const MatrixView& rows, Metric metric, std::span<const Item> chosen,
                          const Run& run) {
  NearestCenter nearest(rows, metric, run);
  for (const Item item : chosen) nearest.add(item);
  std::vector<Item> items(rows.rows);
  std::iota(items.begin(), items.end(), Item{0});
  std::vector<double> distances(rows.rows);
  nearest.score_all(items, distances);
  Coverage coverage;
  for (const double d : distances) {
    const double length = metric == Metric::cosine ? std::sqrt(std::max(0.0, 2 * d)) : d;
    coverage.radius = std::max(coverage.radius, length);
    coverage.mean_distance += length;
  }
  coverage.mean_distance /= static_cast<double>(rows.rows);
  return coverage;
}

Comparison compare(const SelectInput& input, const SelectOptions& options,
                   std::span<const std::string> strategies,
                   const std::function<Predictions(UncertaintyKind)>& predictions, const Run& run,
                   std::uint64_t besides) {
  require_costs(input, options);
  const Plan plan = plan_comparison(input, options, strategies, run, besides);
  require_memory(plan, options.graph.memory_bytes);
  Comparison comparison;
  const auto started = std::chrono::steady_clock::now();
  const Graph graph = input.graph
                          ? *input.graph
                          : build_checked_graph(input.embeddings, as_planned(options.graph, plan), run);
  comparison.graph_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  comparison.graph = graph.info();
  const auto triangles = std::make_shared<const Triangles>(find_triangles(
      graph, area_rule_of(options.objective, graph.info().metric, input.embeddings, run), run));
  SelectOptions settled = options;
  static_cast<void>(settle_automatic(settled, input, make_pool(input)));
  const Objective objective = make_objective({.predictions = input.predictions,
                                              .graph = graph,
                                              .triangles = *triangles,
                                              .scores = input.scores,
                                              .embeddings = &input.embeddings,
                                              .memory_bytes = options.graph.memory_bytes,
                                              .options = settled.objective,
                                              .run = run},
                                             input.own_terms);

  besides += bytes_of_comparison(input, options, strategies.size());
  SelectInput shared = input;
  shared.graph = graph;
  for (const std::string& name : strategies) {
    const SelectOptions own = options_beside_others(options, name);
    shared.predictions = {};  // not two of them while the next are read
    shared.predictions = predictions(effective_options(own).objective.uncertainty);
    ComparisonRow row;
    const PeakMemory memory;
    const SelectShortcuts shortcuts{.triangles = triangles, .certify = false, .besides = besides};
    row.selection = std::move(select_and_keep(shared, own, shortcuts, run)->selection);
    row.memory_bytes = memory.bytes();
    row.seconds = seconds_of_choosing(row.selection, find_strategy(name));
    row.objective = value_beyond(objective, input.labelled, row.selection.picks);
    row.class_entropy = entropy_of(row.selection.class_groups);
    row.boundary_entropy = entropy_of(row.selection.boundaries);
    std::vector<Item> chosen = input.labelled;
    for (const PickRow& pick : row.selection.picks) {
      chosen.push_back(pick.item);
      row.mean_uncertainty += input.predictions.uncertainty()[pick.item];
    }
    if (!row.selection.picks.empty()) row.mean_uncertainty /= static_cast<double>(row.selection.picks.size());
    if (input.embeddings.rows() != 0 && !chosen.empty()) {
      const Coverage coverage = measure_coverage(input.embeddings.view, graph.info().metric, chosen, run);
      row.radius = coverage.radius;
      row.mean_distance = coverage.mean_distance;
    }
    comparison.rows.push_back(std::move(row));
  }
  comparison.jaccard = overlaps(comparison.rows);
  return comparison;
}

}  // namespace pith
