#include "graph/exact_neighbors.h"

#include <algorithm>
#include <string>

#include "graph/blas.h"
#include "graph/candidates.h"
#include "graph/kernels/l1_sums.h"
#include "graph/kernels/tile_kernel.h"
#include "graph/metric.h"
#include "graph/pair_sweep.h"
#include "graph/rows.h"
#include "graph/score_filter.h"
#include "pith/error.h"

namespace pith {
namespace {

/// The k nearest of one item from the nearest groups of its group. The k nearest items lie in the k nearest
/// groups by (dissimilarity, lowest member) and in the item's own, and among the first k members of each.
class GroupExpander {
 public:
  GroupExpander(const DistinctRows& distinct, NeighborLists& lists) : distinct_(distinct), lists_(lists) {}

  void expand(Item group, double dissimilarity_within, std::span<const ExactScorer::Scored> nearest,
              std::vector<ExactScorer::Scored>& scratch) const {
    scratch.clear();
    add(group, dissimilarity_within, lists_.k + 1, scratch);
    for (const auto& other : nearest) add(other.row, other.dissimilarity, lists_.k, scratch);
    std::sort(scratch.begin(), scratch.end());
    for (const Item item : members(group)) {
      std::size_t at = static_cast<std::size_t>(item) * lists_.k;
      const std::size_t end = at + lists_.k;
      for (auto next = scratch.begin(); at < end; ++next) {
        if (next->row == item) continue;
        lists_.items[at] = next->row;
        lists_.dissimilarities[at++] = stored_dissimilarity(next->dissimilarity);
      }
    }
  }

 private:
  [[nodiscard]] std::span<const Item> members(Item group) const {
    return std::span(distinct_.members)
        .subspan(distinct_.starts[group], distinct_.starts[group + 1] - distinct_.starts[group]);
  }
  void add(Item group, double value, std::size_t most, std::vector<ExactScorer::Scored>& out) const {
    const auto all = members(group);
    for (const Item item : all.first(std::min(most, all.size()))) out.push_back({value, item});
  }

  const DistinctRows& distinct_;
  NeighborLists& lists_;
};

}  // namespace

NeighborLists exact_neighbors(const MatrixView& view, Metric metric, std::uint32_t k, const Run& run,
                              const NeighborTuning& tuning) {
  if (view.cols == 0) throw Error(ErrorKind::bad_input, "the embeddings have no columns");
  if (k >= view.rows && k != 0)
    throw Error(ErrorKind::bad_option, std::to_string(k) + " neighbours of each of " +
                                           std::to_string(view.rows) +
                                           " items: there are not so many others");
  NeighborLists lists{.n = view.rows, .k = k, .items = {}, .dissimilarities = {}};
  if (k == 0) return lists;
  lists.items.resize(view.rows * k);
  lists.dissimilarities.resize(view.rows * k);

  const RowFacts facts = survey_rows(view, run);
  const DistinctRows distinct = group_equal_rows(view, facts);
  const auto within = [&](Item group) {
    return metric == Metric::cosine && facts.squared_norms[distinct.first[group]] == 0 ? 1.0 : 0.0;
  };
  const GroupExpander expander(distinct, lists);
  if (distinct.first.size() == 1) {
    std::vector<ExactScorer::Scored> scratch;
    expander.expand(0, within(0), {}, scratch);
    return lists;
  }

  const SingleThreadedBlas single_threaded_blas;
  const auto wanted = static_cast<std::uint32_t>(std::min<std::size_t>(k, distinct.first.size() - 1));
  const std::size_t rows = distinct.first.size();
  const TileKernel& kernel = metric == Metric::l1 ? l1_kernel() : find_kernel(tuning.kernel);
  const ScoreFilter filter(view, metric, facts, distinct.first, kernel, run);
  CandidateTable table(filter, rows, wanted,
                       std::min(rows, tuning.slots != 0 ? tuning.slots : 2 * wanted + 4));
  PairSweep pairs(filter, kernel, ExactScorer(view, metric, facts, distinct.first), table, rows, view.cols,
                  tuning.block_rows, run);
  pairs.meet_all(0);
  pairs.finish([&](Item group, std::span<const ExactScorer::Scored> nearest) {
    thread_local std::vector<ExactScorer::Scored> scratch;
    expander.expand(group, within(group), nearest, scratch);
  });
  return lists;
}

}  // namespace pith
