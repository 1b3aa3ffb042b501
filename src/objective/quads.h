#pragma once

#include "graph/four_cliques.h"
#include "pith/term.h"

namespace pith {

/// ( sum over S of a4(i)  -  eta * number of thin 4-cliques inside S ) / scale, a4(i) the 4-cliques at i: the
/// triple term one size up. Thin: the volume of the tetrahedron with the clique's six side lengths lies below
/// a quantile of all. Monotone for eta in [0,1], because at most a4(i) thin ones are at i; submodular,
/// because the thin ones that a new item closes only grow with S.
class QuadsTerm final : public Term {
 public:
  /// `graph` must outlive the term.
  QuadsTerm(const Graph& graph, double quantile, double eta, TripleScale scale, const Run& run);
  [[nodiscard]] std::string_view name() const override { return "quads"; }
  [[nodiscard]] std::unique_ptr<TermState> start() const override;
  [[nodiscard]] double value(std::span<const Item> set) const override;
  [[nodiscard]] double least_gain(Item item) const override;

 private:
  const Graph& graph_;
  FourCliques cliques_;
  double eta_;
  double scale_ = 1;
};

[[nodiscard]] std::unique_ptr<Term> make_quads_term(const TermSources& sources);

}  // namespace pith
