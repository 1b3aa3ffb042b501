#pragma once

#include "pith/term.h"

namespace pith {

/// sum over all items i of max over j in S of s(i,j), on the graph: s(i,i) = 1, s of an edge, else 0. How
/// well every item, chosen or not, is stood for by its most similar pick. Monotone and submodular; every gain
/// is a sum of differences of numbers on the grid of Graph::similarity and so exact.
///
/// Memory of a state: 17 bytes an item. A gain takes one row of the graph.
class FacilityLocationTerm final : public Term {
 public:
  /// `graph` must outlive the term.
  explicit FacilityLocationTerm(const Graph& graph) : graph_(graph) {}
  [[nodiscard]] std::string_view name() const override { return "facility-location"; }
  [[nodiscard]] std::unique_ptr<TermState> start() const override;
  [[nodiscard]] double value(std::span<const Item> set) const override;
  /// With all others chosen each of them stands for itself: what is left is 1 - the item's largest s.
  [[nodiscard]] double least_gain(Item item) const override;
  /// Alone, i also counts s(i,j) for every neighbour j; both ends of an edge chosen, neither does.
  [[nodiscard]] double pair_loss_from_nothing() const override { return 2; }
  [[nodiscard]] Reach reach() const override { return Reach::second_neighbors; }

 private:
  const Graph& graph_;
};

/// On the graph or over all pairs, as the options say.
[[nodiscard]] std::unique_ptr<Term> make_facility_location_term(const TermSources& sources);

}  // namespace pith
