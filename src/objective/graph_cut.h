#pragma once

#include <vector>

#include "pith/term.h"

namespace pith {

/// sum over S of d(i)  -  2 lambda * sum of s over the edges inside S, d(i) the weighted degree: the
/// similarity of S to everything, less lambda times that of S to itself, every pair counted both ways. A
/// gain, d(e) - 2 lambda * (similarity to S), never falls below (1 - 2 lambda) d(e): monotone, and never
/// negative, exactly where lambda <= 1/2.
class GraphCutTerm final : public Term {
 public:
  /// `graph` must outlive the term; lambda in [0, 1/2].
  GraphCutTerm(const Graph& graph, double lambda, const Run& run);
  [[nodiscard]] std::string_view name() const override { return "graph-cut"; }
  [[nodiscard]] std::unique_ptr<TermState> start() const override;
  [[nodiscard]] double value(std::span<const Item> set) const override;
  [[nodiscard]] double least_gain(Item item) const override { return degree_[item] - twice_ * degree_[item]; }
  [[nodiscard]] double pair_loss() const override { return twice_; }

 private:
  const Graph& graph_;
  double twice_;  ///< 2 lambda
  std::vector<double> degree_;
};

[[nodiscard]] std::unique_ptr<Term> make_graph_cut_term(const TermSources& sources);

}  // namespace pith
