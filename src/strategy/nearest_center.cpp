#include "strategy/nearest_center.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "base/parallel.h"
#include "graph/blas.h"
#include "graph/kernels/l1_sums.h"
#include "graph/metric.h"

namespace pith {
namespace {

/// Work, in multiply-adds, below which starting threads costs more than it saves.
constexpr std::size_t worth_threads = 1 << 20;
/// Items that go through the kernel together, the centres they meet at a time, and the fewest new centres for
/// which that beats exact distances.
constexpr std::size_t group_items = 64;
constexpr std::size_t block_centers = 256;
constexpr std::size_t worth_products = 8;

std::vector<Item> all_items(std::size_t n) {
  std::vector<Item> items(n);
  std::iota(items.begin(), items.end(), Item{0});
  return items;
}

}  // namespace

NearestCenter::NearestCenter(const MatrixView& rows, Metric metric, const Run& run)
    : rows_(rows),
      metric_(metric),
      run_(run),
      facts_(survey_rows(rows, run)),
      everyone_(all_items(rows.rows)),
      kernel_(metric == Metric::l1 ? l1_kernel() : find_kernel()),
      filter_(rows, metric, facts_, everyone_, kernel_, run),
      nearest_(rows.rows, std::numeric_limits<double>::infinity()),
      seen_(rows.rows, 0) {
  for (unsigned worker = 0; worker < run.thread_count(); ++worker)
    workers_.push_back(std::make_unique<Worker>(rows));
}

void NearestCenter::add(Item item) {
  const std::size_t at = center_rows_.size();
  center_rows_.resize(at + rows_.cols);
  rows_.read_rows(item, 1, center_rows_.data() + at);
  filter_.append_left(item, center_products_);
  center_offsets_.push_back(filter_.offsets()[item]);
  centers_.push_back(item);
}

double NearestCenter::score(Item item) {
  update_exactly(item, *workers_.front());
  return nearest_[item];
}

void NearestCenter::score_all(std::span<const Item> items, std::span<double> out) {
  std::vector<Item> stale;
  std::size_t work = 0;
  for (const Item item : items) {
    if (seen_[item] == centers_.size()) continue;
    stale.push_back(item);
    work += (centers_.size() - seen_[item]) * rows_.cols;
  }
  // Items that have seen about as much share a product without wasting much of it.
  std::sort(stale.begin(), stale.end(),
            [&](Item a, Item b) { return seen_[a] != seen_[b] ? seen_[a] < seen_[b] : a < b; });
  pack_centers();
  // Only where it is used: switching it back and forth keeps its threads awake.
  std::optional<SingleThreadedBlas> single_threaded_blas;
  if (kernel_.name() == "blas") single_threaded_blas.emplace();
  const Run alone{.threads = 1, .progress = {}, .cancelled = run_.cancelled};
  parallel_for(work < worth_threads ? alone : run_, stale.size(), group_items,
               [&](std::size_t begin, std::size_t end, unsigned at) {
                 Worker& worker = *workers_[at];
                 const std::span<const Item> group(stale.data() + begin, end - begin);
                 if (centers_.size() - seen_[group.front()] >= worth_products) {
                   update_filtered(group, worker);
                 } else {
                   for (const Item item : group) update_exactly(item, worker);
                 }
               });
  for (std::size_t at = 0; at < items.size(); ++at) out[at] = nearest_[items[at]];
}

double NearestCenter::exact(const float* row, Item item, std::size_t center) const {
  return dissimilarity(metric_, row, center_rows_.data() + center * rows_.cols, rows_.cols,
                       facts_.squared_norms[item], facts_.squared_norms[centers_[center]]);
}

void NearestCenter::update_exactly(Item item, Worker& worker) {
  if (seen_[item] == centers_.size()) return;
  const float* row = worker.reader.row(item, 0);
  double nearest = nearest_[item];
  for (std::size_t center = seen_[item]; center < centers_.size(); ++center)
    nearest = std::min(nearest, exact(row, item, center));
  nearest_[item] = nearest;
  seen_[item] = static_cast<std::uint32_t>(centers_.size());
}

/// All but the last block are full and stay as they are.
void NearestCenter::pack_centers() {
  if (packed_ == centers_.size()) return;
  const std::vector<float> nobody(block_centers, std::numeric_limits<float>::infinity());
  blocks_.resize((centers_.size() + block_centers - 1) / block_centers);
  for (std::size_t at = packed_ / block_centers; at < blocks_.size(); ++at) {
    const std::size_t first = at * block_centers;
    const std::size_t count = std::min(block_centers, centers_.size() - first);
    kernel_.pack_right(center_products_.data() + first * rows_.cols, count, rows_.cols, blocks_[at].panel);
    blocks_[at].side.assign(center_offsets_.data() + first, nobody.data(), count);
  }
  packed_ = centers_.size();
}

void NearestCenter::look_at(Item item, std::size_t center, Worker& worker) {
  nearest_[item] = std::min(nearest_[item], exact(worker.reader.row(item, 0), item, center));
}

void NearestCenter::update_filtered(std::span<const Item> items, Worker& worker) {
  const std::size_t first = seen_[items.front()];
  worker.prepared.clear();
  worker.offsets.clear();
  worker.bars.clear();
  for (const Item item : items) {
    filter_.append_left(item, worker.prepared);
    worker.offsets.push_back(filter_.offsets()[item]);
    // Without any distance yet, every centre would seem near.
    if (seen_[item] == 0) look_at(item, 0, worker);
    worker.bars.push_back(filter_.score_floor(nearest_[item]));
  }
  kernel_.pack_left(worker.prepared.data(), items.size(), rows_.cols, filter_.left_factor(), worker.left);
  for (std::size_t at = first / block_centers; at < blocks_.size(); ++at) {
    worker.left_side.assign(worker.offsets.data(), worker.bars.data(), items.size());
    worker.hits.clear();
    kernel_.find_hits(worker.left, blocks_[at].panel, worker.left_side, blocks_[at].side, worker.hits,
                      worker.scratch);
    look_at_hits(items, at * block_centers, worker);
  }
  for (const Item item : items) seen_[item] = static_cast<std::uint32_t>(centers_.size());
}

/// Scores grow as distances fall. The likeliest centre of each item is looked at first: mostly it raises the
/// bar above all others.
void NearestCenter::look_at_hits(std::span<const Item> items, std::size_t first_center, Worker& worker) {
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  worker.likeliest.assign(items.size(), none);
  for (std::uint32_t at = 0; at < worker.hits.size(); ++at) {
    const TileHit& hit = worker.hits[at];
    std::uint32_t& best = worker.likeliest[hit.row];
    if (best == none || hit.value > worker.hits[best].value) best = at;
  }
  const auto follow = [&](const TileHit& hit) {
    look_at(items[hit.row], first_center + hit.column, worker);
    worker.bars[hit.row] = filter_.score_floor(nearest_[items[hit.row]]);
  };
  for (const std::uint32_t at : worker.likeliest)
    if (at != none) follow(worker.hits[at]);
  for (std::uint32_t at = 0; at < worker.hits.size(); ++at)
    if (worker.hits[at].value >= worker.bars[worker.hits[at].row] &&
        worker.likeliest[worker.hits[at].row] != at)
      follow(worker.hits[at]);
}

}  // namespace pith
