#include "graph/neighbor_search.h"

#include <string>

#include "base/parallel.h"
#include "graph/group_expander.h"
#include "graph/kernels/l1_sums.h"
#include "pith/error.h"

namespace pith {
namespace {

RowFacts checked_facts(const MatrixView& view, std::uint32_t k, const Run& run) {
  if (view.cols == 0) throw Error(ErrorKind::bad_input, "the embeddings have no columns");
  if (k >= view.rows)
    throw Error(ErrorKind::bad_option, std::to_string(k) + " neighbours of each of " +
                                           std::to_string(view.rows) +
                                           " items: there are not so many others");
  return survey_rows(view, run);
}

DistinctRows grouped(const MatrixView& view, RowFacts& facts, const Run& run) {
  DistinctRows distinct = group_equal_rows(view, facts, run);
  std::vector<std::uint64_t>().swap(facts.hashes);  // nobody asks again
  return distinct;
}

}  // namespace

NeighborSearch::NeighborSearch(const MatrixView& view, Metric metric, std::uint32_t k, const Run& run,
                               const NeighborTuning& tuning)
    : view_(view),
      metric_(metric),
      k_(k),
      facts_(checked_facts(view, k, run)),
      distinct_(grouped(view, facts_, run)),
      wanted_(static_cast<std::uint32_t>(std::min<std::size_t>(k, distinct_.first.size() - 1))),
      kernel_(metric == Metric::l1 ? l1_kernel() : find_kernel(tuning.kernel)),
      filter_(view, metric, facts_, distinct_.first, kernel_, run),
      table_(filter_, rows(), wanted_,
             std::min(rows(), tuning.slots != 0 ? tuning.slots : 2 * std::size_t{wanted_} + 4)) {}

NeighborLists NeighborSearch::empty_lists(std::size_t items) const {
  NeighborLists lists{.n = items, .k = k_, .items = {}, .dissimilarities = {}};
  lists.items.resize(items * k_);
  lists.dissimilarities.resize(items * k_);
  return lists;
}

template <class GroupAt, class Done>
void NeighborSearch::expand(std::size_t groups, const GroupExpander& expander, GroupAt group_at, Done done,
                            const Run& run) {
  parallel_for(run, groups, 4096, [&](std::size_t begin, std::size_t end, unsigned) {
    ExactScorer mine = scorer();
    std::vector<ExactScorer::Scored> scratch;
    for (std::size_t at = begin; at < end; ++at) {
      const Item group = group_at(at);
      if (at + 1 < end) table_.expect(group_at(at + 1), mine);
      table_.finish(group, mine);
      expander.expand(group, dissimilarity_within(group), mine.scored, scratch);
    }
    done(begin, end);
  });
}

NeighborLists NeighborSearch::lists(const Run& run) {
  NeighborLists lists = empty_lists(view_.rows);
  // The table shrinks as the lists grow.
  const auto release = [&](std::size_t begin, std::size_t end) {
    table_.release(static_cast<Item>(begin), static_cast<Item>(end));
  };
  expand(
      rows(), GroupExpander(distinct_, lists), [](std::size_t at) { return static_cast<Item>(at); }, release,
      run);
  return lists;
}

NeighborLists NeighborSearch::lists_of(std::size_t first, std::size_t last, std::span<const Item> groups,
                                       const Run& run) {
  NeighborLists lists = empty_lists(last - first);
  const auto nothing = [](std::size_t, std::size_t) {};
  expand(
      groups.size(), GroupExpander(distinct_, lists, first), [&](std::size_t at) { return groups[at]; },
      nothing, run);
  return lists;
}

NeighborLists NeighborSearch::settled_lists(const Run& run) {
  NeighborLists lists = empty_lists(view_.rows);
  parallel_for(run, rows(), 4096, [&](std::size_t begin, std::size_t end, unsigned) {
    for (auto row = static_cast<Item>(begin); row < end; ++row) {
      std::size_t at = std::size_t{row} * k_;
      for (const auto& other : table_.candidates(row)) {
        lists.items[at] = other.row;
        lists.dissimilarities[at++] = other.upper;
      }
    }
    table_.release(static_cast<Item>(begin), static_cast<Item>(end));
  });
  return lists;
}

}  // namespace pith
