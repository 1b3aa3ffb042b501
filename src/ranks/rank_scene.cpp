#include "ranks/rank_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/parallel.h"
#include "graph/triangle_walk.h"
#include "objective/diversity.h"
#include "objective/facility_location.h"
#include "objective/graph_cut.h"
#include "objective/modular.h"
#include "objective/pair_penalty.h"
#include "objective/triples.h"
#include "pith/error.h"
#include "ranks/order_statistic.h"

namespace pith {
namespace {

constexpr std::size_t chunk = 512;

/// Calls visit(worker, corners, area) for every triangle of what the rank holds, from many threads.
template <class Visit>
void for_each_triangle(const Graph& graph, const UpperRows& upper, const Run& run, Visit visit) {
  if (graph.size() == 0) return;
  std::vector<std::unique_ptr<TriangleFan>> fans(run.thread_count());
  for (auto& fan : fans) fan = std::make_unique<TriangleFan>(graph, upper);
  const auto last = static_cast<Item>(graph.size() - 1);
  parallel_for(run, graph.size(), chunk, [&](std::size_t begin, std::size_t end, unsigned worker) {
    TriangleFan& fan = *fans[worker];
    for (auto item = static_cast<Item>(begin); item < end; ++item) {
      fan.open(item, std::min<Item>(item + 1, last), std::min<Item>(item + 2, last));
      for (std::size_t t = 0; t < fan.size(); ++t)
        visit(worker, std::array<Item, 3>{item, fan.corner(fan.second()[t]), fan.corner(fan.third()[t])},
              fan.areas()[t]);
    }
  });
}

using Counts = std::vector<std::atomic<std::uint32_t>>;

void store(const Counts& counts, std::vector<std::uint32_t>& out) {
  out.resize(counts.size());
  for (std::size_t at = 0; at < counts.size(); ++at) out[at] = counts[at].load(std::memory_order_relaxed);
}

}  // namespace

void refuse_to_share(const std::string& what) {
  throw Error(ErrorKind::unsupported,
              fmt::format("{} cannot be shared between ranks; run pith select without mpirun", what));
}

Triangles find_triangles_across(Communicator& ranks, const RankGraph& graph, const ObjectiveOptions& options,
                                const Run& run) {
  Triangles triangles;
  const Graph& here = graph.graph();
  const UpperRows upper(here, run);
  Counts at_item(here.size());
  // A triangle counts where its lowest corner is at home.
  std::vector<std::vector<double>> areas_by_worker(run.thread_count());
  for_each_triangle(here, upper, run, [&](unsigned worker, const std::array<Item, 3>& corners, double area) {
    for (const Item corner : corners) at_item[corner].fetch_add(1, std::memory_order_relaxed);
    if (graph.owns(corners[0])) areas_by_worker[worker].push_back(area);
  });
  store(at_item, triangles.at_item);
  std::vector<double> areas;
  for (std::vector<double>& part : areas_by_worker) {
    areas.insert(areas.end(), part.begin(), part.end());
    std::vector<double>().swap(part);
  }
  std::sort(areas.begin(), areas.end());
  triangles.count = sum_of(ranks, areas.size());
  if (options.area_threshold) {
    triangles.area_threshold = *options.area_threshold;
  } else if (triangles.count != 0) {
    const QuantilePlace at(options.area_quantile, triangles.count);
    const double lower = order_statistic(ranks, areas, at.lower);
    triangles.area_threshold = at.between(lower, order_statistic(ranks, areas, at.upper));
  }
  const double threshold = triangles.area_threshold;
  triangles.thin_count = sum_of(
      ranks,
      static_cast<std::uint64_t>(std::lower_bound(areas.begin(), areas.end(), threshold) - areas.begin()));
  Counts thin(here.size());
  for_each_triangle(here, upper, run,
                    [&](unsigned /*worker*/, const std::array<Item, 3>& corners, double area) {
                      if (area >= threshold) return;
                      for (const Item corner : corners) thin[corner].fetch_add(1, std::memory_order_relaxed);
                    });
  store(thin, triangles.thin_at_item);
  return triangles;
}

Reach reach_across(const ObjectiveOptions& options) {
  if (options.areas != Areas::graph) refuse_to_share("--areas exact");
  Reach reach = Reach::neighbors;
  for (const TermWeight& term : terms_of(options)) {
    if (term.name == "facility-location") {
      if (options.facility == Facility::dense) refuse_to_share("--facility dense");
      if (term.weight != 0) reach = Reach::second_neighbors;
    } else if (term.name != "uncertainty" && term.name != "diversity" && term.name != "triples" &&
               term.name != "graph-cut" && term.name != "scores") {
      refuse_to_share(fmt::format("the term {}", term.name));
    }
  }
  return reach;
}

RankScene::RankScene(Communicator& ranks, const RowBlocks& blocks, const GraphRows& rows,
                     const GraphInfo& info, const Sources& sources)
    : graph_(ranks, blocks, rows, info, reach_across(sources.options)),
      triangles_(find_triangles_across(ranks, graph_, sources.options, sources.run)) {
  for (Item local = graph_.own_begin(); local < graph_.own_end(); ++local)
    largest_degree_ = std::max(largest_degree_, weighted_degree(graph_.graph(), local));
  largest_degree_ = largest_of(ranks, largest_degree_);
  make_objective(ranks, sources);
}

RankScene::RankScene(Communicator& ranks, const RankScene& whole, const GraphRows& rows,
                     const Sources& sources)
    : graph_(ranks, whole.graph_.blocks(), rows, whole.graph_.graph().info(), reach_across(sources.options),
             whole.graph_.graph().median_length()),
      largest_degree_(whole.largest_degree_) {
  ObjectiveOptions options = sources.options;
  options.area_threshold = whole.triangles_.area_threshold;
  triangles_ = find_triangles_across(ranks, graph_, options, sources.run);
  triangles_.count = whole.triangles_.count;
  std::copy(whole.triangles_.at_item.begin() + whole.graph_.own_begin(),
            whole.triangles_.at_item.begin() + whole.graph_.own_end(),
            triangles_.at_item.begin() + graph_.own_begin());
  make_objective(ranks, sources);
}

void RankScene::make_objective(Communicator& ranks, const Sources& sources) {
  for (const Item item : graph_.items()) {
    uncertainty_.push_back(sources.predictions.uncertainty()[item]);
    if (!sources.scores.empty()) scores_.push_back(sources.scores[item]);
  }
  std::vector<Objective::Part> parts;
  for (const TermWeight& term : terms_of(sources.options))
    parts.push_back({term.weight, make_term(ranks, term, sources)});
  objective_ = std::make_unique<Objective>(graph_.size(), std::move(parts));
}

std::unique_ptr<Term> RankScene::make_term(Communicator& ranks, const TermWeight& term,
                                           const Sources& sources) {
  const ObjectiveOptions& options = sources.options;
  const Graph& here = graph_.graph();
  if (term.name == "uncertainty")
    return std::make_unique<ModularTerm>("uncertainty", std::span<const double>(uncertainty_));
  if (term.name == "scores") {
    require_scores(sources.scores, items());
    return std::make_unique<ModularTerm>("scores", std::span<const double>(scores_));
  }
  if (term.name == "diversity")
    return std::make_unique<DiversityTerm>(here, options.gamma.value_or(1), largest_degree_);
  if (term.name == "graph-cut")
    return std::make_unique<GraphCutTerm>(here, options.graph_cut_lambda, sources.run);
  if (term.name == "facility-location") return std::make_unique<FacilityLocationTerm>(here);
  double scale = 1;
  double most = 0;
  for (Item local = graph_.own_begin(); local < graph_.own_end(); ++local)
    most = std::max(most, static_cast<double>(triangles_.at_item[local]));
  most = largest_of(ranks, most);
  if (triangles_.count != 0 && options.triple_scale == TripleScale::max) scale = most;
  if (triangles_.count != 0 && options.triple_scale == TripleScale::mean)
    scale = 3.0 * static_cast<double>(triangles_.count) / static_cast<double>(items());
  return std::make_unique<TriplesTerm>(here, triangles_, options.eta, scale);
}

}  // namespace pith
