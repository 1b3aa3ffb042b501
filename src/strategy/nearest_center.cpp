#include "strategy/nearest_center.h"

#include <algorithm>
#include <limits>

#include "base/clones.h"
#include "base/parallel.h"
#include "graph/kernels/l1_sums.h"
#include "graph/kernels/products_kernel.h"
#include "graph/metric.h"

namespace pith {
namespace {

/// Work, in multiply-adds, below which starting threads costs more than it saves.
constexpr std::size_t worth_threads = 1 << 22;
/// Items that share one matrix product, and the fewest new centres for which that beats exact distances.
constexpr std::size_t group_items = 32;
constexpr std::size_t worth_products = 16;

/// values[c] = (values[c] - offset) - offsets[c]; gives the place of a largest one.
PITH_CLONES std::size_t subtract_and_find_largest(float* values, const float* offsets, std::size_t count,
                                                  float offset) noexcept {
  for (std::size_t c = 0; c < count; ++c) values[c] = (values[c] - offset) - offsets[c];
  constexpr std::size_t lanes = 16;
  float largest[lanes];
  std::fill_n(largest, lanes, -std::numeric_limits<float>::infinity());
  std::size_t c = 0;
  for (; c + lanes <= count; c += lanes)
    for (std::size_t l = 0; l < lanes; ++l)
      largest[l] = values[c + l] > largest[l] ? values[c + l] : largest[l];
  for (; c < count; ++c) largest[0] = values[c] > largest[0] ? values[c] : largest[0];
  const float most = *std::max_element(largest, largest + lanes);
  return static_cast<std::size_t>(std::find(values, values + count, most) - values);
}

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
      filter_(rows, metric, facts_, everyone_, metric == Metric::l1 ? l1_kernel() : blas_kernel(), run),
      nearest_(rows.rows, std::numeric_limits<double>::infinity()),
      seen_(rows.rows, 0) {}

void NearestCenter::add(Item item) {
  const std::size_t at = center_rows_.size();
  center_rows_.resize(at + rows_.cols);
  rows_.read_rows(item, 1, center_rows_.data() + at);
  filter_.append_left(item, center_products_);
  center_offsets_.push_back(filter_.offsets()[item]);
  centers_.push_back(item);
}

double NearestCenter::score(Item item) {
  Worker worker(rows_);
  update_exactly(item, worker);
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
  const SingleThreadedBlas single_threaded_blas;
  const Run alone{.threads = 1, .progress = {}, .cancelled = run_.cancelled};
  parallel_for(work < worth_threads ? alone : run_, stale.size(), group_items,
               [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
                 Worker worker(rows_);
                 const std::span<const Item> group(stale.data() + begin, end - begin);
                 if (metric_ != Metric::l1 && centers_.size() - seen_[group.front()] >= worth_products) {
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

void NearestCenter::update_filtered(std::span<const Item> items, Worker& worker) {
  const std::size_t first = seen_[items.front()];
  const std::size_t count = centers_.size() - first;
  worker.left.clear();
  for (const Item item : items) filter_.append_left(item, worker.left);
  worker.products.resize(items.size() * count);
  filter_.multiply({.buffer = {}, .rows = worker.left.data(), .count = items.size()},
                   {.buffer = {}, .rows = center_products_.data() + first * rows_.cols, .count = count},
                   worker.products.data());
  for (std::size_t at = 0; at < items.size(); ++at) {
    const Item item = items[at];
    float* uppers = worker.products.data() + at * count;
    const std::size_t likely =
        subtract_and_find_largest(uppers, center_offsets_.data() + first, count, filter_.offsets()[item]);
    // Scores grow as distances fall. What cannot reach both the score of the best centre seen before and the
    // least that the likeliest new one has is not nearest.
    const double bar = std::max<double>(filter_.lower_bound(uppers[likely], item, centers_[first + likely]),
                                        static_cast<double>(filter_.score_floor(nearest_[item])));
    const float* row = worker.reader.row(item, 0);
    double nearest = nearest_[item];
    for (std::size_t c = 0; c < count; ++c)
      if (static_cast<double>(uppers[c]) >= bar) nearest = std::min(nearest, exact(row, item, first + c));
    nearest_[item] = nearest;
    seen_[item] = static_cast<std::uint32_t>(centers_.size());
  }
}

}  // namespace pith
