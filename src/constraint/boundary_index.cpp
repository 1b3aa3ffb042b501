#include "constraint/boundary_index.h"

#include <algorithm>
#include <bit>
#include <boost/sort/spreadsort/integer_sort.hpp>

namespace pith {
namespace {

/// Which boundaries an item lies on: place 0 is that of its best two classes, place p of the best and the
/// (p + 2)-th best.
struct BoundaryMembers {
  const Predictions& predictions;
  const Pool& pool;
  double tau;
  std::uint32_t places;

  [[nodiscard]] bool has(std::size_t item, std::uint32_t place) const {
    if (pool.state[item] == Pool::State::excluded) return false;
    if (place == 0) return predictions.margin[item] > tau;
    const std::size_t at = item * predictions.further + place - 1;
    return predictions.further_class[at] != Predictions::no_class && predictions.further_margin[at] > tau;
  }
  /// One number for the pair, ascending as (lower, higher) does; below 2^64 for every L < 2^32.
  [[nodiscard]] std::uint64_t code(std::size_t item, std::uint32_t place) const {
    const std::uint64_t a = predictions.best[item];
    const std::uint64_t b = place == 0 ? predictions.second[item]
                                       : predictions.further_class[item * predictions.further + place - 1];
    return std::min(a, b) * predictions.classes + std::max(a, b);
  }
  /// Calls visit(group of that place, code) for every boundary of every item.
  template <class Visit>
  void for_each(BoundaryIndex& index, Visit visit) const {
    for (std::size_t i = 0; i < index.group_of.size(); ++i) {
      if (has(i, 0)) visit(index.group_of[i], code(i, 0));
      for (std::uint32_t place = 1; place < places; ++place)
        if (has(i, place)) visit(index.further_groups[i * (places - 1) + place - 1], code(i, place));
    }
  }
  [[nodiscard]] BoundaryIndex empty(std::size_t n) const {
    return {.pairs = {},
            .group_of = std::vector<std::uint32_t>(n, no_group),
            .further_groups = std::vector<std::uint32_t>(n * (places - 1), no_group)};
  }
};

std::pair<std::uint32_t, std::uint32_t> pair_of(std::uint64_t code, std::uint64_t classes) {
  return {static_cast<std::uint32_t>(code / classes), static_cast<std::uint32_t>(code % classes)};
}

BoundaryIndex index_by_table(const BoundaryMembers& member, std::size_t n, std::size_t codes) {
  BoundaryIndex index = member.empty(n);
  std::vector<std::uint32_t> group(codes, no_group);
  member.for_each(index, [&](std::uint32_t&, std::uint64_t code) { group[code] = 0; });
  for (std::size_t code = 0; code < codes; ++code) {
    if (group[code] == no_group) continue;
    group[code] = static_cast<std::uint32_t>(index.pairs.size());
    index.pairs.push_back(pair_of(code, member.predictions.classes));
  }
  member.for_each(index, [&](std::uint32_t& place, std::uint64_t code) { place = group[code]; });
  return index;
}

/// Numbers distinct codes in the order they first appear. Open addressing, at most half full.
class Interner {
 public:
  explicit Interner(std::size_t most)
      : shift_(64 - std::bit_width(2 * most + 1)), slots_(std::size_t{1} << (64 - shift_), no_group) {}

  std::uint32_t number_of(std::uint64_t code) {
    for (std::size_t slot = (code * 0x9E3779B97F4A7C15ULL) >> shift_;;
         slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot] == no_group) {
        slots_[slot] = static_cast<std::uint32_t>(codes_.size());
        codes_.push_back(code);
        return slots_[slot];
      }
      if (codes_[slots_[slot]] == code) return slots_[slot];
    }
  }
  [[nodiscard]] const std::vector<std::uint64_t>& codes() const noexcept { return codes_; }

 private:
  int shift_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> codes_;
};

BoundaryIndex index_by_hash(const BoundaryMembers& member, std::size_t n) {
  BoundaryIndex index = member.empty(n);
  Interner interner(n * member.places);
  member.for_each(index, [&](std::uint32_t& place, std::uint64_t code) { place = interner.number_of(code); });
  std::vector<std::uint64_t> ascending = interner.codes();
  boost::sort::spreadsort::integer_sort(ascending.begin(), ascending.end());
  std::vector<std::uint32_t> rank(ascending.size());
  index.pairs.reserve(ascending.size());
  for (std::size_t group = 0; group < ascending.size(); ++group) {
    rank[interner.number_of(ascending[group])] = static_cast<std::uint32_t>(group);
    index.pairs.push_back(pair_of(ascending[group], member.predictions.classes));
  }
  for (auto* groups : {&index.group_of, &index.further_groups})
    for (std::uint32_t& group : *groups)
      if (group != no_group) group = rank[group];
  return index;
}

}  // namespace

BoundaryIndex index_boundaries(const Predictions& predictions, const Pool& pool, double tau,
                               std::uint32_t boundaries_per_item) {
  const std::size_t n = predictions.size();
  const std::uint64_t classes = predictions.classes;
  const BoundaryMembers member{predictions, pool, tau, boundaries_per_item};
  if (classes < 2) return member.empty(n);
  if (classes * classes <= 4 * n + 65536) return index_by_table(member, n, classes * classes);
  return index_by_hash(member, n);
}

}  // namespace pith
