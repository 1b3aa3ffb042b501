#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pith/graph.h"
#include "pith/matrix.h"
#include "pith/options.h"
#include "pith/predictions.h"
#include "pith/run.h"

namespace pith {

struct Triangles;

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

/// Whose gains can change when an item enters or leaves S, its own apart.
enum class Reach : std::uint8_t { nobody, neighbors, second_neighbors, everybody };

/// What a term remembers of S to answer gain() in O(1), or in the length of a row of the graph.
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
  /// Some c >= 0 such that, for every set A that S may start from, value(A + S) - value(A) is at most the sum
  /// of S's gains at A - c * sum of s over the edges inside S. What a certificate knows about interactions.
  [[nodiscard]] virtual double pair_loss() const { return 0; }
  /// The same where A is empty, which can allow a larger c.
  [[nodiscard]] virtual double pair_loss_from_nothing() const { return pair_loss(); }
  [[nodiscard]] virtual Reach reach() const { return Reach::neighbors; }
};

/// What a term can be made of. All of it outlives the term.
struct TermSources {
  const Predictions& predictions;
  const Graph& graph;
  const Triangles& triangles;
  std::span<const double> scores;             ///< a column of the user's, or empty
  const Matrix* embeddings;                   ///< nullptr where there are none
  std::optional<std::uint64_t> memory_bytes;  ///< most that a term's tables may take, where told
  const ObjectiveOptions& options;
  const Run& run;
};

/// A kind of term, by the name that `--term name=weight` knows it by.
struct TermSpec {
  std::string name;
  std::string summary;
  std::function<std::unique_ptr<Term>(const TermSources&)> make;
};

}  // namespace pith
