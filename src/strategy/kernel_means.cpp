#include "strategy/kernel_means.h"

#include <algorithm>
#include <limits>
#include <mutex>

#include "base/clones.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "graph/blas.h"
#include "graph/kernels/l1_sums.h"
#include "graph/kernels/products_kernel.h"
#include "graph/score_filter.h"

namespace pith {
namespace {

constexpr std::size_t sampled_pairs = 1023;
constexpr std::size_t left_rows = 64;
constexpr std::size_t right_rows = 1024;

std::vector<Item> not_excluded(const Pool& pool) {
  std::vector<Item> items;
  for (Item item = 0; item < pool.state.size(); ++item)
    if (pool.state[item] != Pool::State::excluded) items.push_back(item);
  return items;
}

/// Sum of 1 / (1 + factor * q) over a row of a tile, where -q = (product - offset) - offsets[c], at most 0.
PITH_CLONES float sum_kernel(const float* products, const float* offsets, std::size_t count, float offset,
                             float factor) noexcept {
  constexpr std::size_t lanes = 16;
  float sums[lanes] = {};
  std::size_t c = 0;
  for (; c + lanes <= count; c += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const float q = (offset - products[c + l]) + offsets[c + l];
      sums[l] += 1 / (1 + factor * (q > 0 ? q : 0));
    }
  for (; c < count; ++c) {
    const float q = (offset - products[c]) + offsets[c];
    sums[0] += 1 / (1 + factor * (q > 0 ? q : 0));
  }
  float sum = 0;
  for (const float one : sums) sum += one;
  return sum;
}

/// What the filter's scores are to be multiplied by to become -q / scale.
float score_factor(const ScoreFilter& filter, Metric metric, double largest, double scale) {
  if (largest == 0) return 0;
  double per_score = 1;
  if (metric != Metric::cosine) {
    const double square = metric == Metric::l2 ? largest * largest : largest;
    per_score = square / -static_cast<double>(filter.score_floor(largest));
  }
  // Kept finite: 0 times infinity is no number.
  return static_cast<float>(
      std::min(per_score / scale, static_cast<double>(std::numeric_limits<float>::max())));
}

}  // namespace

HeavyKernel::HeavyKernel(const ItemLengths& lengths, Metric metric, const Pool& pool)
    : lengths_(lengths), metric_(metric) {
  const std::vector<Item> items = not_excluded(pool);
  if (items.empty()) return;
  Rng rng(0);
  std::vector<double> squares;
  for (std::size_t draw = 0; draw < sampled_pairs; ++draw) {
    const Item a = items[rng.below(items.size())];
    const Item b = items[rng.below(items.size())];
    const double square = a == b ? 0 : square_of(a, b);
    if (square > 0) squares.push_back(square);
  }
  if (squares.empty()) return;
  const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(squares.size() / 2);
  std::nth_element(squares.begin(), middle, squares.end());
  scale_ = *middle;
}

double HeavyKernel::square_of(Item a, Item b) const noexcept {
  const double d = lengths_.dissimilarity_of(a, b);
  return metric_ == Metric::cosine ? 2 * d : metric_ == Metric::l2 ? d * d : d;
}

std::vector<double> kernel_means(const HeavyKernel& kernel, const StrategyInput& input) {
  const MatrixView& view = input.embeddings->view;
  const Run& run = input.run;
  const RowFacts facts = survey_rows(view, run);
  // Rows without direction are sqrt(2) from everything but themselves: no product says so.
  std::vector<Item> items;
  std::vector<Item> without_direction;
  for (const Item item : not_excluded(input.pool))
    (input.metric == Metric::cosine && facts.squared_norms[item] == 0 ? without_direction : items)
        .push_back(item);
  const auto all = static_cast<double>(items.size() + without_direction.size());
  const auto zeros = static_cast<double>(without_direction.size());
  const double with_zero = kernel.of(2);

  std::vector<double> means(view.rows, 0.0);
  for (const Item item : without_direction) means[item] = (1 + (all - 1) * with_zero) / all;
  if (items.empty()) return means;

  const ScoreFilter filter(view, input.metric, facts, items,
                           input.metric == Metric::l1 ? l1_kernel() : blas_kernel(), run);
  const float factor = score_factor(filter, input.metric, facts.largest, kernel.scale());
  const SingleThreadedBlas single_threaded_blas;
  std::vector<Panel> rights((items.size() + right_rows - 1) / right_rows);
  parallel_for(run, rights.size(), 1, [&](std::size_t at, std::size_t, unsigned /*worker*/) {
    filter.load_right(at * right_rows, std::min(right_rows, items.size() - at * right_rows), rights[at]);
  });
  std::mutex progress;
  std::size_t done = 0;
  parallel_for(run, items.size(), left_rows, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    Panel left;
    filter.load_left(begin, end - begin, left);
    std::vector<double> sums(end - begin, 0.0);
    std::vector<float> products((end - begin) * right_rows);
    for (std::size_t at = 0; at < rights.size(); ++at) {
      filter.multiply(left, rights[at], products.data());
      for (std::size_t r = 0; r < sums.size(); ++r)
        sums[r] += static_cast<double>(sum_kernel(products.data() + r * rights[at].count,
                                                  filter.offsets() + at * right_rows, rights[at].count,
                                                  filter.offsets()[begin + r], factor));
    }
    for (std::size_t r = 0; r < sums.size(); ++r)
      means[items[begin + r]] = (sums[r] + zeros * with_zero) / all;
    const std::lock_guard lock(progress);
    run.report("kernel means", static_cast<double>(done += sums.size()), static_cast<double>(items.size()));
  });

  // The place in a tile may move a product by a rounding; equal rows must tie.
  const DistinctRows distinct = group_equal_rows(view, facts, run);
  for (std::size_t group = 0; group + 1 < distinct.starts.size(); ++group) {
    const Item* leader = nullptr;
    for (std::size_t at = distinct.starts[group]; at < distinct.starts[group + 1]; ++at) {
      const Item& member = distinct.members[at];
      if (input.pool.state[member] == Pool::State::excluded) continue;
      if (leader == nullptr) leader = &member;
      means[member] = means[*leader];
    }
  }
  return means;
}

}  // namespace pith
