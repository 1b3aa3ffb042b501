#include "objective/triples.h"

#include <algorithm>

#include "pith/error.h"

namespace pith {
namespace {

/// Calls visit(m) for every m that makes a thin triangle with the edge at position `at` of item's row.
template <class Visit>
void for_each_thin(const Graph& graph, const Triangles& triangles, Item item, std::size_t at, Visit visit) {
  const Item other = graph.neighbors(item)[at];
  const double threshold = triangles.area_threshold;
  if (triangles.exact != nullptr) {
    for_each_common_neighbor(graph, item, other, [&](Item m, std::size_t /*x*/, std::size_t /*y*/) {
      if (triangles.exact->area(item, other, m) < threshold) visit(m);
    });
    return;
  }
  const auto from_item = graph.dissimilarities(item);
  const auto from_other = graph.dissimilarities(other);
  const double side = graph.length(from_item[at]);
  for_each_common_neighbor(graph, item, other, [&](Item m, std::size_t x, std::size_t y) {
    if (triangle_area(side, graph.length(from_item[x]), graph.length(from_other[y])) < threshold) visit(m);
  });
}

class State final : public TermState {
 public:
  State(const Graph& graph, const Triangles& triangles, double eta, double scale)
      : graph_(graph), triangles_(triangles), eta_(eta), scale_(scale), thin_(graph.size(), 0) {}

  [[nodiscard]] double gain(Item item) const override {
    return (static_cast<double>(triangles_.at_item[item]) - eta_ * static_cast<double>(thin_[item])) / scale_;
  }
  void expect(Item item) const override {
    __builtin_prefetch(&thin_[item]);
    __builtin_prefetch(&triangles_.at_item[item]);
  }
  void add(Item item, const Membership& set) override { shift(item, set, 1); }
  void remove(Item item, const Membership& set) override { shift(item, set, -1); }

 private:
  void shift(Item item, const Membership& set, std::int32_t by) {
    const auto neighbors = graph_.neighbors(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at) {
      if (!set.contains(neighbors[at])) continue;
      for_each_thin(graph_, triangles_, item, at, [&](Item m) { thin_[m] += by; });
    }
  }

  const Graph& graph_;
  const Triangles& triangles_;
  double eta_;
  double scale_;
  std::vector<std::int32_t> thin_;  ///< thin triangles whose two other corners are in S
};

}  // namespace

TriplesTerm::TriplesTerm(const Graph& graph, const Triangles& triangles, double eta, TripleScale scale)
    : graph_(graph), triangles_(triangles), eta_(eta) {
  const auto& at_item = triangles.at_item;
  if (triangles.count == 0) return;
  if (scale == TripleScale::max) scale_ = *std::max_element(at_item.begin(), at_item.end());
  if (scale == TripleScale::mean)
    scale_ = 3.0 * static_cast<double>(triangles.count) / static_cast<double>(at_item.size());
}

std::unique_ptr<TermState> TriplesTerm::start() const {
  return std::make_unique<State>(graph_, triangles_, eta_, scale_);
}

double TriplesTerm::value(std::span<const Item> set) const {
  Membership in(graph_.size());
  for (const Item item : set) in.insert(item);
  double corners = 0;
  double thin = 0;
  for (const Item item : set) {
    corners += triangles_.at_item[item];
    const auto neighbors = graph_.neighbors(item);
    for (std::size_t at = 0; at < neighbors.size(); ++at) {
      if (neighbors[at] < item || !in.contains(neighbors[at])) continue;
      for_each_thin(graph_, triangles_, item, at, [&](Item m) {
        if (m > neighbors[at] && in.contains(m)) thin += 1;
      });
    }
  }
  return (corners - eta_ * thin) / scale_;
}

double TriplesTerm::least_gain(Item item) const {
  return (static_cast<double>(triangles_.at_item[item]) -
          eta_ * static_cast<double>(triangles_.thin_at_item[item])) /
         scale_;
}

AreaRule area_rule_of(const ObjectiveOptions& options, Metric metric, const Matrix& embeddings,
                      const Run& run) {
  AreaRule rule{.threshold = options.area_threshold, .quantile = options.area_quantile};
  if (options.areas == Areas::graph) return rule;
  if (embeddings.rows() == 0)
    throw Error(ErrorKind::bad_option, "--areas: exact ones need the embeddings; pass --embeddings FILE");
  rule.exact = std::make_shared<ExactAreas>(embeddings.view, metric, run);
  return rule;
}

std::unique_ptr<Term> make_triples_term(const TermSources& sources) {
  return std::make_unique<TriplesTerm>(sources.graph, sources.triangles, sources.options.eta,
                                       sources.options.triple_scale);
}

}  // namespace pith
