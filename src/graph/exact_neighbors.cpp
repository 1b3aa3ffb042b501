#include "graph/exact_neighbors.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>

#include "base/parallel.h"
#include "graph/blas.h"
#include "graph/candidates.h"
#include "graph/metric.h"
#include "graph/rows.h"
#include "graph/score_filter.h"
#include "graph/tile_scan.h"
#include "pith/error.h"

namespace pith {
namespace {

/// Square tiles that stay in the second-level cache, take tens of milliseconds at most, and are enough to
/// share.
std::size_t choose_block(std::size_t rows, std::size_t dimension, unsigned threads) {
  const double by_time = std::sqrt(1.2e9 / static_cast<double>(dimension));
  const double by_share = static_cast<double>(rows) / (2.0 * threads);
  const auto block = static_cast<std::size_t>(std::min({512.0, by_time, by_share}));
  return std::max<std::size_t>(64, block / 32 * 32);
}

/// All pairs of distinct rows, tile by tile of the upper triangle, each pair offered to both its ends.
class PairSweep {
 public:
  PairSweep(const MatrixView& view, Metric metric, const RowFacts& facts, std::span<const Item> items,
            std::uint32_t wanted, const Run& run, const NeighborTuning& tuning)
      : rows_(items.size()),
        block_(tuning.block_rows != 0 ? tuning.block_rows
                                      : choose_block(rows_, view.cols, run.thread_count())),
        blocks_((rows_ + block_ - 1) / block_),
        run_(run),
        filter_(view, metric, facts, items, run),
        table_(filter_, rows_, wanted, std::min(rows_, tuning.slots != 0 ? tuning.slots : 2 * wanted + 32)),
        locks_(std::make_unique<std::mutex[]>(blocks_)) {
    for (unsigned worker = 0; worker < run.thread_count(); ++worker)
      workers_.push_back(std::make_unique<Worker>(ExactScorer(view, metric, facts, items)));
  }

  /// Tiles on the diagonal first: where the items come in some order, a row meets its likes there and its bar
  /// is high before the others come. Then strips of tiles, neighbouring strips in different row blocks.
  void sweep() {
    parallel_for(run_, blocks_, 1, [&](std::size_t block, std::size_t, unsigned worker) {
      Worker& mine = *workers_[worker];
      filter_.load_left(first(block), size(block), mine.left);
      meet(block, block, mine);
    });
    struct Strip {
      std::size_t block;
      std::size_t begin;
    };
    constexpr std::size_t strip_tiles = 16;
    std::vector<Strip> strips;
    for (std::size_t away = 1; away < blocks_; away += strip_tiles)
      for (std::size_t block = 0; block + away < blocks_; ++block) strips.push_back({block, block + away});
    parallel_for(run_, strips.size(), 1, [&](std::size_t at, std::size_t, unsigned worker) {
      const Strip strip = strips[at];
      Worker& mine = *workers_[worker];
      filter_.load_left(first(strip.block), size(strip.block), mine.left);
      const std::size_t end = std::min(blocks_, strip.begin + strip_tiles);
      for (std::size_t other = strip.begin; other < end; ++other) {
        run_.check_cancelled();
        meet(strip.block, other, mine);
      }
    });
  }

  /// visit(row, its nearest in order) for every row, from several threads.
  template <class Visit>
  void finish(Visit visit) {
    parallel_for(run_, rows_, 64, [&](std::size_t begin, std::size_t end, unsigned worker) {
      ExactScorer& scorer = workers_[worker]->scorer;
      for (auto row = static_cast<Item>(begin); row < end; ++row) {
        table_.finish(row, scorer);
        visit(row, std::span<const ExactScorer::Scored>(scorer.scored));
      }
    });
  }

 private:
  struct Worker {
    explicit Worker(ExactScorer its_scorer) : scorer(std::move(its_scorer)) {}
    ExactScorer scorer;
    Panel left;
    Panel right;
    std::vector<float> products;
    std::vector<Hit> hits;
  };

  [[nodiscard]] std::size_t first(std::size_t block) const noexcept { return block * block_; }
  [[nodiscard]] std::size_t size(std::size_t block) const noexcept {
    return std::min(block_, rows_ - block * block_);
  }

  void meet(std::size_t upper, std::size_t lower, Worker& mine) {
    const std::size_t width = size(lower);
    filter_.load_right(first(lower), width, mine.right);
    mine.products.resize(size(upper) * width);
    mine.hits.resize(width);
    filter_.multiply(mine.left, mine.right, mine.products.data());
    {
      // upper <= lower: locks are always taken in ascending order.
      const std::unique_lock upper_lock(locks_[upper]);
      std::unique_lock<std::mutex> lower_lock;
      if (lower != upper) lower_lock = std::unique_lock(locks_[lower]);
      scan(upper, lower, mine);
    }
    report(static_cast<double>(size(upper)) * static_cast<double>(width) / (upper == lower ? 2 : 1));
  }

  void scan(std::size_t upper, std::size_t lower, Worker& mine) {
    const std::size_t width = size(lower);
    const std::size_t first_column = first(lower);
    const float* offsets = filter_.offsets();
    const float* bars = table_.bars();
    for (std::size_t r = 0; r < size(upper); ++r) {
      const auto row = static_cast<Item>(first(upper) + r);
      const std::size_t skipped = upper == lower ? r + 1 : 0;
      const std::size_t column = first_column + skipped;
      const std::size_t found =
          find_hits(mine.products.data() + r * width + skipped, offsets + column, bars + column,
                    width - skipped, offsets[row], bars[row], mine.hits.data());
      for (std::size_t h = 0; h < found; ++h) {
        const auto other = static_cast<Item>(column + mine.hits[h].column);
        table_.offer(row, other, mine.hits[h].value, mine.scorer);
        table_.offer(other, row, mine.hits[h].value, mine.scorer);
      }
    }
  }

  void report(double pairs) {
    const std::lock_guard lock(progress_mutex_);
    pairs_done_ += pairs;
    run_.report("graph", pairs_done_, static_cast<double>(rows_) * static_cast<double>(rows_) / 2);
  }

  std::size_t rows_;
  std::size_t block_;
  std::size_t blocks_;
  const Run& run_;
  ScoreFilter filter_;
  CandidateTable table_;
  std::unique_ptr<std::mutex[]> locks_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::mutex progress_mutex_;
  double pairs_done_ = 0;
};

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
  PairSweep pairs(view, metric, facts, distinct.first, wanted, run, tuning);
  pairs.sweep();
  pairs.finish([&](Item group, std::span<const ExactScorer::Scored> nearest) {
    thread_local std::vector<ExactScorer::Scored> scratch;
    expander.expand(group, within(group), nearest, scratch);
  });
  return lists;
}

}  // namespace pith
