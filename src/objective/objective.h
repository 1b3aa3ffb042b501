#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "pith/options.h"
#include "pith/term.h"

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
  /// See Term; `from_nothing`: no item is labelled.
  [[nodiscard]] double pair_loss(bool from_nothing) const;
  /// The farthest of any term that has a weight.
  [[nodiscard]] Reach reach() const;
  /// The part of this name, if there is one.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view term) const;

 private:
  std::size_t items_;
  std::vector<Part> parts_;
};

/// The terms an objective has: those listed, or else the paper's three, uncertainty, diversity and triples
/// (quads where cliques of four are asked for), with the weights lambda.
[[nodiscard]] std::vector<TermWeight> terms_of(const ObjectiveOptions& options);

/// The sum of terms_of(sources.options), each made by its entry in the registry or in `own`.
[[nodiscard]] Objective make_objective(const TermSources& sources, std::span<const TermSpec> own = {});

/// S as it grows and shrinks, with every gain in O(terms).
class ObjectiveState {
 public:
  explicit ObjectiveState(const Objective& objective);

  [[nodiscard]] const Membership& set() const noexcept { return set_; }
  /// gain(item | S); for a member, what removing it would lose. Throws Error{bad_input} where that is no
  /// number, as a term of the caller's own may have it.
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
    const Term* term;
  };
  Membership set_;
  std::vector<Part> parts_;
};

}  // namespace pith
