#include "ranks/ring_neighbors.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "graph/candidates.h"
#include "graph/kernels/l1_sums.h"
#include "graph/kernels/tile_kernel.h"
#include "graph/metric.h"
#include "graph/rows.h"
#include "graph/score_filter.h"

namespace pith {
namespace {

constexpr std::size_t tile = 256;

/// Offers a neighbour to a row's list of at most k.
void offer(MetRows& rows, std::size_t row, std::uint32_t k, const Near& near) {
  Near* const first = rows.nearest.data() + row * k;
  std::uint32_t& count = rows.counts[row];
  if (count == k && !near.before(first[k - 1])) return;
  if (count < k) ++count;
  Near* at = first + count - 1;
  for (; at != first && near.before(at[-1]); --at) *at = at[-1];
  *at = near;
}

/// Rows met with a piece of others, one side only: every row looks for its nearest in the piece.
class Meeting {
 public:
  Meeting(std::span<const float> rows, std::span<const float> piece, std::size_t dimension, Metric metric,
          std::uint32_t k, const Run& run)
      : rows_(rows.size() / dimension),
        both_(joined(rows, piece)),
        view_(MatrixView::of_floats(both_.data(), both_.size() / dimension, dimension)),
        k_(k),
        run_(run),
        facts_(survey_rows(view_, run)),
        items_(numbers(view_.rows)),
        kernel_(metric == Metric::l1 ? l1_kernel() : find_kernel("")),
        filter_(view_, metric, facts_, items_, kernel_, run),
        table_(filter_, rows_, k, 2 * std::size_t{k} + 4),
        metric_(metric) {}

  /// `first_item`: of the piece.
  void meet(MetRows& rows, std::size_t first_item) {
    for (std::size_t row = 0; row < rows_; ++row)
      if (rows.counts[row] == k_)
        table_.start(static_cast<Item>(row),
                     filter_.score_floor(rows.nearest[row * k_ + k_ - 1].dissimilarity));
    const std::size_t others = view_.rows - rows_;
    std::vector<PackedPanel> rights((others + tile - 1) / tile);
    parallel_for(run_, rights.size(), 1, [&](std::size_t at, std::size_t, unsigned) {
      std::vector<float> scratch;
      filter_.pack_right(rows_ + at * tile, std::min(tile, others - at * tile), scratch, rights[at]);
    });
    const std::vector<float> nobody(tile, std::numeric_limits<float>::infinity());
    parallel_for(run_, rows_, tile, [&](std::size_t begin, std::size_t end, unsigned) {
      ExactScorer scorer(view_, metric_, facts_, items_);
      std::vector<float> scratch;
      PackedPanel left;
      TileSide left_side;
      TileSide right_side;
      std::vector<TileHit> hits;
      KernelScratch kernel_scratch;
      filter_.pack_left(begin, end - begin, scratch, left);
      for (std::size_t at = 0; at < rights.size(); ++at) {
        run_.check_cancelled();
        left_side.assign(filter_.offsets() + begin, table_.bars() + begin, end - begin);
        right_side.assign(filter_.offsets() + rows_ + at * tile, nobody.data(), rights[at].count);
        hits.clear();
        kernel_.find_hits(left, rights[at], left_side, right_side, hits, kernel_scratch);
        for (const TileHit& hit : hits) {
          const std::size_t other = at * tile + hit.column;
          if (first_item + other == rows.begin + begin + hit.row) continue;  // itself
          table_.offer(static_cast<Item>(begin + hit.row), static_cast<Item>(rows_ + other), hit.value,
                       scorer);
        }
      }
      for (std::size_t row = begin; row < end; ++row) {
        table_.finish(static_cast<Item>(row), scorer);
        for (const ExactScorer::Scored& found : scorer.scored)
          offer(rows, row, k_, {found.dissimilarity, static_cast<Item>(first_item + (found.row - rows_))});
      }
    });
  }

 private:
  static std::vector<float> joined(std::span<const float> rows, std::span<const float> piece) {
    std::vector<float> both(rows.begin(), rows.end());
    both.insert(both.end(), piece.begin(), piece.end());
    return both;
  }
  static std::vector<Item> numbers(std::size_t count) {
    std::vector<Item> items(count);
    std::iota(items.begin(), items.end(), Item{0});
    return items;
  }

  std::size_t rows_;
  std::vector<float> both_;
  MatrixView view_;
  std::uint32_t k_;
  const Run& run_;
  RowFacts facts_;
  std::vector<Item> items_;
  const TileKernel& kernel_;
  ScoreFilter filter_;
  CandidateTable table_;
  Metric metric_;
};

/// The rows among themselves, every pair looked at once.
void meet_within(std::span<const float> values, std::size_t dimension, Metric metric, std::uint32_t k,
                 MetRows& rows, const Run& run) {
  const std::size_t count = rows.end - rows.begin;
  const MatrixView view = MatrixView::of_floats(values.data(), count, dimension);
  const auto found = static_cast<std::uint32_t>(std::min<std::size_t>(k, count - 1));
  const NeighborLists lists = exact_neighbors(view, metric, found, run);
  parallel_for(run, count, tile, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t row = begin; row < end; ++row) {
      const float* const x = values.data() + row * dimension;
      const double norm = squared_norm(x, dimension);
      for (std::size_t at = row * found; at < (row + 1) * found; ++at) {
        const float* const y = values.data() + std::size_t{lists.items[at]} * dimension;
        // Lists keep floats, which cannot tell all distances apart.
        offer(rows, row, k,
              {dissimilarity(metric, x, y, dimension, norm, squared_norm(y, dimension)),
               static_cast<Item>(rows.begin + lists.items[at])});
      }
    }
  });
}

/// The block of rows that visits this rank, and the next one on its way.
class Ring {
 public:
  Ring(Communicator& ranks, const RowBlocks& blocks, std::size_t dimension, const std::vector<float>& own)
      : ranks_(ranks), blocks_(blocks), dimension_(dimension), present_(own), whose_(ranks.rank()) {}

  [[nodiscard]] int whose() const noexcept { return whose_; }
  [[nodiscard]] const std::vector<float>& present() const noexcept { return present_; }
  /// Starts to pass the present block on and to receive the next.
  void start_next() {
    const int size = ranks_.size();
    next_.resize(blocks_.count((whose_ + 1) % size) * dimension_);
    receiving_ = ranks_.start_receive((ranks_.rank() + 1) % size, std::as_writable_bytes(std::span(next_)));
    sending_ = ranks_.start_send((ranks_.rank() + size - 1) % size, std::as_bytes(std::span(present_)));
  }
  void finish_next() {
    receiving_->wait();
    sending_->wait();
    present_.swap(next_);
    whose_ = (whose_ + 1) % ranks_.size();
  }

 private:
  Communicator& ranks_;
  const RowBlocks& blocks_;
  std::size_t dimension_;
  std::vector<float> present_;
  std::vector<float> next_;
  int whose_;
  std::unique_ptr<Transfer> receiving_;
  std::unique_ptr<Transfer> sending_;
};

/// Meets the rows with all of a visiting block that they have not met before.
void meet_block(const RingTask& task, const std::vector<float>& own, const std::vector<float>& visiting,
                int whose, std::vector<MetRows>& known) {
  const std::size_t dimension = task.view.cols;
  const std::size_t own_begin = task.blocks.begin(task.ranks.rank());
  const std::size_t begin = task.blocks.begin(whose);
  const std::size_t end = task.blocks.end(whose);
  for (MetRows& rows : known) {
    const std::span<const float> values =
        std::span(own).subspan((rows.begin - own_begin) * dimension, (rows.end - rows.begin) * dimension);
    for (const auto& [first, last] : rows.unmet(begin, end)) {
      if (first == rows.begin && last == rows.end) {
        meet_within(values, dimension, task.metric, task.k, rows, task.run);
        rows.note_met(first, last);
        if (task.met) task.met(known);
        continue;
      }
      for (std::size_t at = first; at < last; at += task.piece_rows) {
        const std::size_t stop = std::min(last, at + task.piece_rows);
        const std::span<const float> piece =
            std::span(visiting).subspan((at - begin) * dimension, (stop - at) * dimension);
        Meeting(values, piece, dimension, task.metric, task.k, task.run).meet(rows, at);
        rows.note_met(at, stop);
        if (task.met) task.met(known);
      }
    }
  }
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> MetRows::unmet(std::size_t first, std::size_t last) const {
  std::vector<std::pair<std::size_t, std::size_t>> left;
  for (const auto& [from, to] : met) {
    if (to <= first || from >= last) continue;
    if (from > first) left.emplace_back(first, from);
    first = std::max(first, to);
  }
  if (first < last) left.emplace_back(first, last);
  return left;
}

void MetRows::note_met(std::size_t first, std::size_t last) {
  met.emplace_back(first, last);
  std::sort(met.begin(), met.end());
  std::vector<std::pair<std::size_t, std::size_t>> joined;
  for (const auto& range : met) {
    if (!joined.empty() && range.first <= joined.back().second)
      joined.back().second = std::max(joined.back().second, range.second);
    else
      joined.push_back(range);
  }
  met = std::move(joined);
}

MetRows MetRows::part(std::size_t first, std::size_t last, std::uint32_t k) const {
  MetRows some(first, last, k);
  some.met = met;
  const auto from = static_cast<std::ptrdiff_t>(first - begin);
  const auto to = static_cast<std::ptrdiff_t>(last - begin);
  std::copy(counts.begin() + from, counts.begin() + to, some.counts.begin());
  std::copy(nearest.begin() + from * k, nearest.begin() + to * k, some.nearest.begin());
  return some;
}

NeighborLists ring_neighbors(const RingTask& task) {
  const int rank = task.ranks.rank();
  const int size = task.ranks.size();
  const std::size_t begin = task.blocks.begin(rank);
  const std::size_t end = task.blocks.end(rank);
  const std::uint32_t k = task.k;
  NeighborLists lists{.n = end - begin, .k = k, .items = {}, .dissimilarities = {}};
  if (k == 0) return lists;
  std::vector<MetRows> known = task.known;
  if (known.empty() && begin != end) known.emplace_back(begin, end, k);

  std::vector<float> own((end - begin) * task.view.cols);
  if (!own.empty()) task.view.read_rows(begin, end - begin, own.data());
  Ring ring(task.ranks, task.blocks, task.view.cols, own);
  for (int step = 0; step < size; ++step) {
    if (step + 1 < size) ring.start_next();
    meet_block(task, own, ring.present(), ring.whose(), known);
    if (step + 1 < size) ring.finish_next();
    task.run.report("graph", step + 1, size);
  }
  for (const MetRows& rows : known)
    for (const Near& near : rows.nearest) {
      lists.items.push_back(near.item);
      lists.dissimilarities.push_back(stored_dissimilarity(near.dissimilarity));
    }
  return lists;
}

}  // namespace pith
