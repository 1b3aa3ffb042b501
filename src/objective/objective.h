#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graph/triangles.h"
#include "objective/term.h"
#include "pith/graph.h"
#include "pith/options.h"
#include "pith/predictions.h"

namespace pith {

/// f = a weighted sum of terms. Owns its terms; the data they look at must outlive it.
class Objective {
 public:
  struct Part {
    double weight = 0;
    std::unique_ptr<Term> term;
  };

  Objective(std::size_t items, std::vector<Part> parts) : items_(items), parts_(std::move(parts)) {}

  [[nodiscard]] std::size_t items() const noexcept { return items_; }
  [[nodiscard]] const std::vector<Part>& parts() const noexcept { return parts_; }
  /// f(set) from the definition, for distinct items.
  [[nodiscard]] double value(std::span<const Item> set) const;
  /// The part of every gain that is the same for every item and set (l2 * U).
  [[nodiscard]] double constant() const;
  [[nodiscard]] double least_gain(Item item) const;
  [[nodiscard]] double pair_loss() const;

 private:
  std::size_t items_;
  std::vector<Part> parts_;
};

/// uncertainty, diversity, triples, in this order, with the weights of the options.
[[nodiscard]] Objective make_objective(const Predictions& predictions, const Graph& graph,
                                       const Triangles& triangles, const ObjectiveOptions& options,
                                       const Run& run);

/// S as it grows and shrinks, with every gain in O(terms).
class ObjectiveState {
 public:
  explicit ObjectiveState(const Objective& objective);

  [[nodiscard]] const Membership& set() const noexcept { return set_; }
  /// gain(item | S); for a member, what removing it would lose.
  [[nodiscard]] double gain(Item item) const;
  /// The weighted share of part `at` in gain().
  [[nodiscard]] double part_gain(std::size_t at, Item item) const {
    return parts_[at].weight * parts_[at].state->gain(item);
  }
  void expect(Item item) const {
    for (const Part& part : parts_) part.state->expect(item);
  }
  void add(Item item);
  void remove(Item item);

 private:
  struct Part {
    double weight;
    std::unique_ptr<TermState> state;
  };
  Membership set_;
  std::vector<Part> parts_;
};

}  // namespace pith
