#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "pith/matrix.h"

namespace pith {

/// Which items are in S. A byte each, so that neighbours are looked up without shifts.
class Membership {
 public:
  explicit Membership(std::size_t n) : in_(n, 0) {}
  [[nodiscard]] bool contains(Item item) const noexcept { return in_[item] != 0; }
  void insert(Item item) noexcept { in_[item] = 1; }
  void erase(Item item) noexcept { in_[item] = 0; }

 private:
  std::vector<std::uint8_t> in_;
};

/// What a term remembers of S to answer gain() in O(1).
///
/// Exactness: gain() must be a function of the set S alone, not of the order in which it came about, and must
/// not rise (as a double) when S grows. Both hold if the state is made of counts or of sums that are exact,
/// and gain() is one monotone expression of them.
class TermState {
 public:
  virtual ~TermState() = default;
  /// Gain of adding `item`; for a member of S, what removing it would lose.
  [[nodiscard]] virtual double gain(Item item) const = 0;
  /// S gains `item`; `set` is S before.
  virtual void add(Item item, const Membership& set) = 0;
  /// `item` will be asked about soon: a chance to fetch what that needs.
  virtual void expect(Item /*item*/) const {}
  /// S loses `item`; `set` is S after.
  virtual void remove(Item item, const Membership& set) = 0;
};

/// One term of f: a monotone, submodular set function, without its weight. Immutable.
class Term {
 public:
  virtual ~Term() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// The state of the empty set.
  [[nodiscard]] virtual std::unique_ptr<TermState> start() const = 0;
  /// The term's value for a set of distinct items, from its definition.
  [[nodiscard]] virtual double value(std::span<const Item> set) const = 0;
  /// Gain of `item` once everything else is in S: no set leaves it less.
  [[nodiscard]] virtual double least_gain(Item item) const = 0;
  /// The part of gain() that is the same for every item and every S.
  [[nodiscard]] virtual double constant() const { return 0; }
  /// Some c >= 0 with value(S) <= sum of the gains of S's items alone - c * sum of s over the edges inside S.
  /// What a certificate knows about interactions.
  [[nodiscard]] virtual double pair_loss() const { return 0; }
};

}  // namespace pith
