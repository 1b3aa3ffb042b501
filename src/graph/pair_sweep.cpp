#include "graph/pair_sweep.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace pith {
namespace {

constexpr std::size_t small_block = 64;
constexpr std::size_t floats_of_lefts = std::size_t{1} << 21;  ///< where more than one left block fits

std::size_t whole_blocks(double rows) noexcept {
  return std::max(small_block, static_cast<std::size_t>(rows) / small_block * small_block);
}

/// Tiles that are enough to share.
std::size_t choose_block(std::size_t rows, std::size_t dimension, unsigned threads) {
  const double by_share = static_cast<double>(rows) / (2.0 * threads);
  return std::min(PairSweep::largest_block(dimension), whole_blocks(by_share));
}

}  // namespace

/// Square tiles whose right side stays in the second-level cache, and that take milliseconds.
std::size_t PairSweep::largest_block(std::size_t dimension) noexcept {
  return whole_blocks(std::min(512.0, std::sqrt(1.2e9 / static_cast<double>(dimension))));
}

std::uint64_t PairSweep::workspace_bytes(std::size_t rows, std::size_t dimension) noexcept {
  constexpr std::uint64_t bytes_a_pair = sizeof(TileHit) + sizeof(float);  // a hit, and its product
  constexpr std::uint64_t on_their_way = 64;
  const std::uint64_t block = std::min(rows, largest_block(dimension));
  const std::uint64_t lefts =
      std::min<std::uint64_t>(rows * dimension, std::max<std::uint64_t>(floats_of_lefts, block * dimension));
  // What the small blocks took before cannot always be used for the large ones.
  const std::uint64_t small = block > small_block ? block + 2 * small_block : 0;
  const std::uint64_t others = (2 * block + small + on_their_way) * dimension;
  return sizeof(float) * (lefts + others) + block * block * bytes_a_pair;
}

PairSweep::PairSweep(const ScoreFilter& filter, const TileKernel& kernel, const ExactScorer& scorer,
                     CandidateTable& table, std::size_t rows, std::size_t dimension, std::size_t block_rows,
                     const Run& run)
    : filter_(filter),
      kernel_(kernel),
      table_(table),
      rows_(rows),
      block_(block_rows != 0 ? block_rows : choose_block(rows, dimension, run.thread_count())),
      blocks_((rows + block_ - 1) / block_),
      lefts_(std::clamp<std::size_t>(floats_of_lefts / (block_ * dimension), 1, 8)),
      run_(run),
      locks_(std::make_unique<std::mutex[]>(blocks_)) {
  for (unsigned worker = 0; worker < run.thread_count(); ++worker)
    workers_.push_back(std::make_unique<Worker>(scorer));
}

PairSweep::Range PairSweep::range_of(std::size_t block) const noexcept {
  return {block * block_, std::min(block_, rows_ - block * block_)};
}

void PairSweep::meet_all(std::size_t first_new) {
  first_new_ = first_new;
  const auto n = static_cast<double>(rows_);
  const auto old = static_cast<double>(first_new);
  pairs_in_all_ = (n * n - old * old) / 2;
  pairs_done_ = 0;
  const std::size_t first_right = first_new / block_;
  // Within blocks first: where the items come in some order, a row meets its likes there, and every bar is
  // off the ground before the large tiles come.
  parallel_for(run_, blocks_ - first_right, 1, [&](std::size_t at, std::size_t, unsigned worker) {
    meet_within(first_right + at, *workers_[worker]);
  });
  for (const auto& worker : workers_) worker->lefts.clear();  // small ones, but as many as make up a block
  const std::size_t reach = std::clamp<std::size_t>(blocks_ / (8 * std::size_t{run_.thread_count()}), 4, 64);
  std::vector<Task> tasks;
  for (std::size_t begin = first_right; begin < blocks_; begin += reach)
    for (std::size_t first = 0; first < std::min(begin + reach, blocks_); first += lefts_)
      tasks.push_back({first, std::min(lefts_, blocks_ - first), begin, std::min(begin + reach, blocks_)});
  parallel_for(run_, tasks.size(), 1,
               [&](std::size_t at, std::size_t, unsigned worker) { work_off(tasks[at], *workers_[worker]); });
}

/// Small tiles, so that the bars the first ones raise spare the later ones most of their candidates.
void PairSweep::meet_within(std::size_t block, Worker& mine) {
  const Range all = range_of(block);
  const std::size_t parts = (all.count + small_block - 1) / small_block;
  std::vector<Panel>& lefts = mine.lefts;
  lefts.resize(std::max(lefts.size(), parts));
  for (std::size_t at = 0; at < parts; ++at) {
    run_.check_cancelled();
    const Range part{all.first + at * small_block, std::min(small_block, all.count - at * small_block)};
    lefts[at].range = mine.right.range = part;
    filter_.pack_left(part.first, part.count, mine.scratch, lefts[at].rows);
    filter_.pack_right(part.first, part.count, mine.scratch, mine.right.rows);
    if (part.first + part.count <= first_new_) continue;
    for (std::size_t left = 0; left <= at; ++left) meet(lefts[left], mine.right, block, block, mine);
  }
}

void PairSweep::work_off(const Task& task, Worker& mine) {
  mine.lefts.resize(std::max(mine.lefts.size(), task.count));
  for (std::size_t at = 0; at < task.count; ++at) {
    mine.lefts[at].range = range_of(task.first + at);
    filter_.pack_left(mine.lefts[at].range.first, mine.lefts[at].range.count, mine.scratch,
                      mine.lefts[at].rows);
  }
  for (std::size_t block = std::max(task.begin, task.first + 1); block < task.end; ++block) {
    mine.right.range = range_of(block);
    filter_.pack_right(mine.right.range.first, mine.right.range.count, mine.scratch, mine.right.rows);
    for (std::size_t at = 0; at < task.count && task.first + at < block; ++at) {
      run_.check_cancelled();
      meet(mine.lefts[at], mine.right, task.first + at, block, mine);
    }
  }
}

void PairSweep::meet(const Panel& left, const Panel& right, std::size_t left_block, std::size_t right_block,
                     Worker& mine) {
  const auto snapshot = [&](const Panel& panel, std::size_t block, TileSide& side) {
    const std::lock_guard lock(locks_[block]);
    side.assign(filter_.offsets() + panel.range.first, table_.bars() + panel.range.first, panel.range.count);
  };
  snapshot(left, left_block, mine.left_side);
  snapshot(right, right_block, mine.right_side);
  mine.hits.clear();
  kernel_.find_hits(left.rows, right.rows, mine.left_side, mine.right_side, mine.hits, mine.kernel_scratch);
  if (!mine.hits.empty()) {
    // left <= right: locks are always taken in ascending order.
    const std::unique_lock left_lock(locks_[left_block]);
    std::unique_lock<std::mutex> right_lock;
    if (left_block != right_block) right_lock = std::unique_lock(locks_[right_block]);
    for (const TileHit& hit : mine.hits) {
      const auto row = static_cast<Item>(left.range.first + hit.row);
      const auto other = static_cast<Item>(right.range.first + hit.column);
      if (other <= row || other < first_new_) continue;
      table_.offer(row, other, hit.value, mine.scorer);
      table_.offer(other, row, hit.value, mine.scorer);
    }
  }
  const bool same = left.range.first == right.range.first;
  report(static_cast<double>(left.range.count) * static_cast<double>(right.range.count) / (same ? 2 : 1));
}

void PairSweep::report(double pairs) {
  const std::lock_guard lock(progress_mutex_);
  pairs_done_ = std::min(pairs_done_ + pairs, pairs_in_all_);
  run_.report("graph", pairs_done_, pairs_in_all_);
}

}  // namespace pith
