#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graph/triangles.h"
#include "objective/objective.h"
#include "ranks/rank_graph.h"

namespace pith {

/// Triangles of the whole graph as one rank sees them: counts at its own items, totals and threshold of all.
/// Collective.
[[nodiscard]] Triangles find_triangles_across(Communicator& ranks, const RankGraph& graph,
                                              const ObjectiveOptions& options, const Run& run);

/// One rank's part of the graph with all that f is made of. Gains of own items are those of the whole, to the
/// last bit, as long as every pick that is an item here has been added here.
class RankScene {
 public:
  struct Sources {
    const Predictions& predictions;  ///< of all items
    std::span<const double> scores;  ///< of all items, or empty
    const ObjectiveOptions& options;
    const Run& run;
  };
  /// Collective. Throws Error{unsupported} where f has a term that ranks cannot share.
  RankScene(Communicator& ranks, const RowBlocks& blocks, const GraphRows& rows, const GraphInfo& info,
            const Sources& sources);
  /// The same items with fewer edges, which alone take something off. What an item is worth by itself is as
  /// in the whole, but for graph-cut and facility location, which know of no other edges. Collective.
  RankScene(Communicator& ranks, const RankScene& whole, const GraphRows& rows, const Sources& sources);

  [[nodiscard]] const RankGraph& graph() const noexcept { return graph_; }
  [[nodiscard]] const Triangles& triangles() const noexcept { return triangles_; }
  [[nodiscard]] const Objective& objective() const noexcept { return *objective_; }
  [[nodiscard]] double largest_weighted_degree() const noexcept { return largest_degree_; }
  [[nodiscard]] std::size_t items() const noexcept { return graph_.blocks().items(); }

 private:
  [[nodiscard]] std::unique_ptr<Term> make_term(Communicator& ranks, const TermWeight& term,
                                                const Sources& sources);
  void make_objective(Communicator& ranks, const Sources& sources);

  RankGraph graph_;
  Triangles triangles_;
  double largest_degree_ = 0;
  std::vector<double> uncertainty_;  ///< of the items here
  std::vector<double> scores_;
  std::unique_ptr<Objective> objective_;
};

/// Throws Error{unsupported}.
[[noreturn]] void refuse_to_share(const std::string& what);

/// How far the terms of these options reach; throws Error{unsupported} for what ranks cannot share.
[[nodiscard]] Reach reach_across(const ObjectiveOptions& options);

}  // namespace pith
