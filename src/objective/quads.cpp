#include "objective/quads.h"

#include <algorithm>

#include "graph/triangles.h"

namespace pith {
namespace {

/// Calls visit(m) for every m that makes a thin clique with the triangle i, j, k.
template <class Visit>
void for_each_thin(const Graph& graph, double threshold, Item i, Item j, Item k, Visit visit) {
  const auto third = graph.neighbors(k);
  for_each_common_neighbor(graph, i, j, [&](Item m, std::size_t /*x*/, std::size_t /*y*/) {
    if (m == k || !std::binary_search(third.begin(), third.end(), m)) return;
    if (tetrahedron_volume(sides_of(graph, i, j, k, m)) < threshold) visit(m);
  });
}

/// Calls visit(j, k) for the triangles of `item` whose other corners, j < k, are in `set`.
template <class Visit>
void for_each_triangle_in(const Graph& graph, Item item, const Membership& set, Visit visit) {
  for (const Item j : graph.neighbors(item)) {
    if (!set.contains(j)) continue;
    for_each_common_neighbor(graph, item, j, [&](Item k, std::size_t /*x*/, std::size_t /*y*/) {
      if (k > j && set.contains(k)) visit(j, k);
    });
  }
}

class State final : public TermState {
 public:
  State(const Graph& graph, const FourCliques& cliques, double eta, double scale)
      : graph_(graph), cliques_(cliques), eta_(eta), scale_(scale), thin_(graph.size(), 0) {}

  [[nodiscard]] double gain(Item item) const override {
    return (static_cast<double>(cliques_.at_item[item]) - eta_ * static_cast<double>(thin_[item])) / scale_;
  }
  void expect(Item item) const override {
    __builtin_prefetch(&thin_[item]);
    __builtin_prefetch(&cliques_.at_item[item]);
  }
  void add(Item item, const Membership& set) override { shift(item, set, 1); }
  void remove(Item item, const Membership& set) override { shift(item, set, -1); }

 private:
  void shift(Item item, const Membership& set, std::int64_t by) {
    for_each_triangle_in(graph_, item, set, [&](Item j, Item k) {
      for_each_thin(graph_, cliques_.volume_threshold, item, j, k, [&](Item m) { thin_[m] += by; });
    });
  }

  const Graph& graph_;
  const FourCliques& cliques_;
  double eta_;
  double scale_;
  std::vector<std::int64_t> thin_;  ///< thin cliques whose three other corners are in S
};

}  // namespace

QuadsTerm::QuadsTerm(const Graph& graph, double quantile, double eta, TripleScale scale, const Run& run)
    : graph_(graph), cliques_(find_four_cliques(graph, quantile, run)), eta_(eta) {
  const auto& at_item = cliques_.at_item;
  if (cliques_.count == 0) return;
  if (scale == TripleScale::max)
    scale_ = static_cast<double>(*std::max_element(at_item.begin(), at_item.end()));
  if (scale == TripleScale::mean)
    scale_ = 4.0 * static_cast<double>(cliques_.count) / static_cast<double>(at_item.size());
}

std::unique_ptr<TermState> QuadsTerm::start() const {
  return std::make_unique<State>(graph_, cliques_, eta_, scale_);
}

double QuadsTerm::value(std::span<const Item> set) const {
  Membership in(graph_.size());
  for (const Item item : set) in.insert(item);
  double corners = 0;
  double thin = 0;
  for (const Item item : set) {
    corners += static_cast<double>(cliques_.at_item[item]);
    for_each_triangle_in(graph_, item, in, [&](Item j, Item k) {
      if (j < item) return;
      for_each_thin(graph_, cliques_.volume_threshold, item, j, k, [&](Item m) {
        if (m > k && in.contains(m)) thin += 1;
      });
    });
  }
  return (corners - eta_ * thin) / scale_;
}

double QuadsTerm::least_gain(Item item) const {
  return (static_cast<double>(cliques_.at_item[item]) -
          eta_ * static_cast<double>(cliques_.thin_at_item[item])) /
         scale_;
}

std::unique_ptr<Term> make_quads_term(const TermSources& sources) {
  const ObjectiveOptions& options = sources.options;
  return std::make_unique<QuadsTerm>(sources.graph, options.area_quantile, options.eta, options.triple_scale,
                                     sources.run);
}

}  // namespace pith
