#pragma once

#include "pith/graph.h"
#include "pith/term.h"

namespace pith {

/// sum over S of U  -  gamma * sum of s over the edges inside S, with U the largest weighted degree of any
/// item. U keeps it monotone for gamma in [0,1]. Sums of s are exact (Graph::similarity), hence order does
/// not matter.
class DiversityTerm final : public Term {
 public:
  /// `graph` must outlive the term.
  DiversityTerm(const Graph& graph, double gamma, const Run& run);
  /// The same on a part of a graph, U being that of the whole.
  DiversityTerm(const Graph& graph, double gamma, double largest_degree)
      : graph_(graph), gamma_(gamma), largest_degree_(largest_degree) {}
  [[nodiscard]] std::string_view name() const override { return "diversity"; }
  [[nodiscard]] std::unique_ptr<TermState> start() const override;
  [[nodiscard]] double value(std::span<const Item> set) const override;
  [[nodiscard]] double least_gain(Item item) const override;
  [[nodiscard]] double constant() const override { return largest_degree_; }
  [[nodiscard]] double pair_loss() const override { return gamma_; }

 private:
  const Graph& graph_;
  double gamma_;
  double largest_degree_ = 0;
};

[[nodiscard]] std::unique_ptr<Term> make_diversity_term(const TermSources& sources);

}  // namespace pith
