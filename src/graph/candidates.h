#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/page_array.h"
#include "graph/rows.h"
#include "graph/score_filter.h"

namespace pith {

/// Canonical dissimilarities of pairs of filter rows. One per thread: it may hold copies of rows.
class ExactScorer {
 public:
  ExactScorer(const MatrixView& view, Metric metric, const RowFacts& facts, std::span<const Item> items)
      : reader_(view),
        metric_(metric),
        dimension_(view.cols),
        squared_norms_(facts.squared_norms),
        items_(items) {}

  struct Scored {
    double dissimilarity;
    Item row;
    Item item;  ///< of the row: ties go to the lower one
    friend bool operator<(const Scored& a, const Scored& b) noexcept {
      return a.dissimilarity != b.dissimilarity ? a.dissimilarity < b.dissimilarity : a.item < b.item;
    }
  };

  /// Scratch for callers, one per thread like the scorer itself.
  std::vector<Scored> scored;
  std::vector<float> bounds;

  void begin(Item row) {
    x_ = reader_.row(items_[row], 0);
    squared_norm_ = squared_norms_[items_[row]];
  }
  /// Asks memory for a row that will be scored soon.
  void expect(Item other) const noexcept {
    const Item item = items_[other];
    __builtin_prefetch(&squared_norms_[item]);
    reader_.expect(item);
  }
  [[nodiscard]] Scored to(Item other);

 private:
  RowReader reader_;
  Metric metric_;
  std::size_t dimension_;
  std::span<const double> squared_norms_;
  std::span<const Item> items_;
  const float* x_ = nullptr;
  double squared_norm_ = 0;
};

/// For every row of a filter, the rows that may still be among its `wanted` nearest.
///
/// Invariant: at least `wanted` rows (met so far) score no less than a row's bar, and every row met so far
/// that may be among its nearest is held. So what scores below the bar, even by its upper bound, is out for
/// good, whatever the ties. Memory: 8 * slots + 16 bytes a row. Rows are independent; callers lock.
class CandidateTable {
 public:
  /// Row r of the table is row names[r] of the filter, or r itself without names; candidates are rows of the
  /// filter. `ordered`: items ascend with the filter's rows.
  CandidateTable(const ScoreFilter& filter, std::size_t rows, std::uint32_t wanted, std::size_t slots,
                 bool ordered = true, std::span<const Item> names = {});

  struct Candidate {
    float upper;  ///< dissimilarity once settled
    Item row;
  };

  [[nodiscard]] const float* bars() const noexcept { return bars_.data(); }
  [[nodiscard]] std::span<const Candidate> candidates(Item row) const noexcept {
    return {slots_.data() + place(row), counts_[row]};
  }
  /// Of an empty table: from now on these rows alone, each named once, hold anything. No others may be
  /// offered, started or finished.
  void make_room_for(std::span<const Item> rows);
  [[nodiscard]] bool has_room_for(Item row) const noexcept {
    return places_.empty() || places_[row] != nowhere;
  }
  /// Starts a row at what is known of it: whatever is below the bar cannot be among its nearest.
  void start(Item row, float bar, std::span<const Candidate> held = {}) noexcept {
    bars_[row] = bar;
    counts_[row] = static_cast<std::uint32_t>(held.size());
    std::copy(held.begin(), held.end(), slots_.data() + place(row));
  }
  /// Holds exactly these from now on: all of the row's nearest.
  void hold(Item row, std::span<const ExactScorer::Scored> nearest) noexcept;
  /// As offer(), but the other row may be held already.
  void offer_again(Item row, Item other, float upper, ExactScorer& scorer) {
    const auto held = candidates(row);
    if (std::none_of(held.begin(), held.end(), [&](const Candidate& c) { return c.row == other; }))
      offer(row, other, upper, scorer);
  }

  /// `upper`: upper bound of the score of (row, other).
  void offer(Item row, Item other, float upper, ExactScorer& scorer) {
    if (upper < bars_[row] || other > last_[row]) return;
    slots_[place(row) + counts_[row]++] = {upper, other};
    if (counts_[row] == slots_each_) make_room(row, scorer);
  }

  /// At least `wanted` of the rows held score no less.
  void raise(Item row, float bar) noexcept { bars_[row] = std::max(bars_[row], bar); }

  /// The nearest of a row, in order, into scorer.scored.
  void finish(Item row, ExactScorer& scorer);
  /// From now on the row holds its nearest alone, in order, each with its dissimilarity as the lists have it.
  /// No other member may be asked about it again.
  void settle(Item row, ExactScorer& scorer);
  /// Asks memory for what finish() will look at.
  void expect(Item row, const ExactScorer& scorer) const noexcept {
    for (const Candidate& c : candidates(row)) scorer.expect(c.row);
  }
  /// Asks memory for what offers to a row, and raising its bar, touch.
  void expect_offers(Item row) const noexcept {
    constexpr std::size_t line = 64 / sizeof(Candidate);
    const Candidate* const first = slots_.data() + place(row);
    for (std::size_t at = 0; at < slots_each_; at += line) __builtin_prefetch(first + at, 1);
    __builtin_prefetch(&counts_[row], 1);
    __builtin_prefetch(&last_[row]);
    expect_bar(row);
  }
  void expect_bar(Item row) const noexcept { __builtin_prefetch(&bars_[row], 1); }
  /// Gives the memory of these rows back; they must not be asked for again. Not after make_room_for().
  void release(Item begin, Item end) noexcept { slots_.release(begin * slots_each_, end * slots_each_); }

  /// Drops what its own lower bounds rule out.
  void drop_the_hopeless(Item row, ExactScorer& scorer);

 private:
  void rank(Item row, ExactScorer& scorer);
  void make_room(Item row, ExactScorer& scorer);
  [[nodiscard]] Item name(Item row) const noexcept { return names_.empty() ? row : names_[row]; }
  /// Where a row's slots begin.
  [[nodiscard]] std::size_t place(Item row) const noexcept {
    return (places_.empty() ? row : places_[row]) * slots_each_;
  }

  static constexpr Item nowhere = std::numeric_limits<Item>::max();

  const ScoreFilter& filter_;
  std::span<const Item> names_;
  bool ordered_;
  std::size_t wanted_;
  std::size_t slots_each_;
  PageArray<Candidate> slots_;
  std::vector<Item> places_;  ///< of each row among the slots; empty: its own number
  std::vector<std::uint32_t> counts_;
  std::vector<float> bars_;
  std::vector<Item> last_;  ///< higher rows cannot enter: `wanted` lower ones are held at dissimilarity 0
};

}  // namespace pith
