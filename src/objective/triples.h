#pragma once

#include "graph/triangles.h"
#include "pith/options.h"
#include "pith/term.h"

namespace pith {

/// ( sum over S of a(i)  -  eta * number of thin triangles inside S ) / scale, a(i) the triangles at i.
class TriplesTerm final : public Term {
 public:
  /// `graph` and `triangles` (found in that graph) must outlive the term.
  TriplesTerm(const Graph& graph, const Triangles& triangles, double eta, TripleScale scale);
  /// The same on a part of a graph, the scale being that of the whole.
  TriplesTerm(const Graph& graph, const Triangles& triangles, double eta, double scale)
      : graph_(graph), triangles_(triangles), eta_(eta), scale_(scale) {}
  [[nodiscard]] std::string_view name() const override { return "triples"; }
  [[nodiscard]] std::unique_ptr<TermState> start() const override;
  [[nodiscard]] double value(std::span<const Item> set) const override;
  [[nodiscard]] double least_gain(Item item) const override;

 private:
  const Graph& graph_;
  const Triangles& triangles_;
  double eta_;
  double scale_ = 1;
};

/// How the options want thin triangles told. Exact areas need the embeddings.
[[nodiscard]] AreaRule area_rule_of(const ObjectiveOptions& options, Metric metric, const Matrix& embeddings,
                                    const Run& run);

[[nodiscard]] std::unique_ptr<Term> make_triples_term(const TermSources& sources);

}  // namespace pith
