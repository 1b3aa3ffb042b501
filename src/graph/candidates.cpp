#include "graph/candidates.h"

#include <algorithm>
#include <limits>

#include "base/clones.h"
#include "graph/metric.h"

namespace pith {
namespace {

/// The value that `above` others of the values exceed or equal: the largest for 0. Counts instead of sorting,
/// which for the few dozen values of a row has no branches to guess.
PITH_CLONES float largest_but(const float* values, std::size_t count, std::size_t above) noexcept {
  float found = -std::numeric_limits<float>::infinity();
  for (std::size_t at = 0; at < count; ++at) {
    const float value = values[at];
    std::uint32_t not_below = 0;
    for (std::size_t other = 0; other < count; ++other)
      not_below += static_cast<std::uint32_t>(values[other] >= value);
    found = not_below > above && value > found ? value : found;
  }
  return found;
}

}  // namespace

ExactScorer::Scored ExactScorer::to(Item other) {
  const Item item = items_[other];
  return {dissimilarity(metric_, x_, reader_.row(item, 1), dimension_, squared_norm_, squared_norms_[item]),
          other, item};
}

CandidateTable::CandidateTable(const ScoreFilter& filter, std::size_t rows, std::uint32_t wanted,
                               std::size_t slots, bool ordered, std::span<const Item> names)
    : filter_(filter),
      names_(names),
      ordered_(ordered),
      wanted_(wanted),
      slots_each_(std::max<std::size_t>(slots, wanted + 2)),
      slots_(rows * slots_each_),
      counts_(rows, 0),
      bars_(rows, -std::numeric_limits<float>::infinity()),
      last_(rows, std::numeric_limits<Item>::max()) {}

void CandidateTable::make_room_for(std::span<const Item> rows) {
  places_.assign(counts_.size(), nowhere);
  Item next = 0;
  for (const Item row : rows) places_[row] = next++;
  slots_ = PageArray<Candidate>(rows.size() * slots_each_);
}

void CandidateTable::hold(Item row, std::span<const ExactScorer::Scored> nearest) noexcept {
  counts_[row] = 0;
  for (const auto& other : nearest)
    slots_[place(row) + counts_[row]++] = {std::numeric_limits<float>::infinity(), other.row};
}

void CandidateTable::drop_the_hopeless(Item row, ExactScorer& scorer) {
  Candidate* const begin = slots_.data() + place(row);
  Candidate* const end = begin + counts_[row];
  if (counts_[row] <= wanted_) return;
  auto& bounds = scorer.bounds;
  bounds.resize(counts_[row]);
  for (std::size_t at = 0; at < bounds.size(); ++at)
    bounds[at] = filter_.lower_bound(begin[at].upper, name(row), begin[at].row);
  const float bar = std::max(bars_[row], largest_but(bounds.data(), bounds.size(), wanted_ - 1));
  bars_[row] = bar;
  counts_[row] = static_cast<std::uint32_t>(
      std::remove_if(begin, end, [&](const Candidate& c) { return c.upper < bar; }) - begin);
}

void CandidateTable::rank(Item row, ExactScorer& scorer) {
  const Candidate* const begin = slots_.data() + place(row);
  auto& scored = scorer.scored;
  scored.clear();
  scorer.begin(name(row));
  for (const Candidate* c = begin; c != begin + counts_[row]; ++c) scorer.expect(c->row);
  for (const Candidate* c = begin; c != begin + counts_[row]; ++c) scored.push_back(scorer.to(c->row));
  const std::size_t kept = std::min(wanted_, scored.size());
  std::partial_sort(scored.begin(), scored.begin() + static_cast<std::ptrdiff_t>(kept), scored.end());
  scored.resize(kept);
}

void CandidateTable::make_room(Item row, ExactScorer& scorer) {
  drop_the_hopeless(row, scorer);
  // Half of the spare slots must come free, or dropping would be done again and again for little.
  if (counts_[row] <= wanted_ + (slots_each_ - wanted_) / 2) return;
  rank(row, scorer);
  const auto& worst = scorer.scored.back();
  const auto outranked = [&](const Candidate& c) {
    return !std::any_of(scorer.scored.begin(), scorer.scored.end(),
                        [&](const auto& s) { return s.row == c.row; });
  };
  Candidate* const begin = slots_.data() + place(row);
  counts_[row] = static_cast<std::uint32_t>(std::remove_if(begin, begin + counts_[row], outranked) - begin);
  bars_[row] = std::max(bars_[row], filter_.score_floor(worst.dissimilarity));
  if (ordered_ && worst.dissimilarity == 0) last_[row] = worst.row;
}

void CandidateTable::finish(Item row, ExactScorer& scorer) {
  drop_the_hopeless(row, scorer);
  rank(row, scorer);
}

void CandidateTable::settle(Item row, ExactScorer& scorer) {
  finish(row, scorer);
  counts_[row] = 0;
  for (const auto& other : scorer.scored)
    slots_[place(row) + counts_[row]++] = {stored_dissimilarity(other.dissimilarity), other.row};
}

}  // namespace pith
