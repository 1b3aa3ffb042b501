#include <cblas.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/parallel.h"
#include "base/rng.h"
#include "peers.h"

namespace peers {
namespace {

double similarity(const Data& data, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t d = 0; d < data.dimension; ++d)
    sum += static_cast<double>(data.row(a)[d]) * data.row(b)[d];
  return sum;
}

/// One row from each of 2,000 equal stretches; all of them when there are no more.
std::vector<std::size_t> sample_rows(std::size_t n) {
  const std::size_t count = std::min<std::size_t>(n, 2000);
  std::vector<std::size_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * n / count;
    rows[i] = first + pith::random_bits(3, i) % ((i + 1) * n / count - first);
  }
  return rows;
}

}  // namespace

/// Single-precision products shortlist, double precision decides.
void find_truth(const Data& data, const std::string& out, bool mixture) {
  constexpr std::size_t block = 250;
  constexpr std::size_t shortlist = 4 * neighbors;
  using Scored = std::pair<double, std::size_t>;
  const std::vector<std::size_t> rows = sample_rows(data.n);
  std::vector<TrueRow> truth(rows.size());
  std::vector<std::size_t> elsewhere(rows.size());
  std::vector<float> queries;
  std::vector<float> products;
  for (std::size_t first = 0; first < rows.size(); first += block) {
    const std::size_t count = std::min(block, rows.size() - first);
    queries.clear();
    for (std::size_t i = first; i < first + count; ++i)
      queries.insert(queries.end(), data.row(rows[i]), data.row(rows[i]) + data.dimension);
    products.resize(count * data.n);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(count), static_cast<int>(data.n),
                static_cast<int>(data.dimension), 1.0F, queries.data(), static_cast<int>(data.dimension),
                data.rows.data(), static_cast<int>(data.dimension), 0.0F, products.data(),
                static_cast<int>(data.n));
    pith::parallel_for({}, count, 1, [&](std::size_t q, std::size_t, unsigned) {
      const std::size_t row = rows[first + q];
      const float* scores = products.data() + q * data.n;
      std::vector<Scored> near;
      for (std::size_t i = 0; i < data.n; ++i) {
        if (i == row || (near.size() == shortlist && scores[i] <= near.front().first)) continue;
        if (near.size() == shortlist) {
          std::pop_heap(near.begin(), near.end(), std::greater<>());
          near.pop_back();
        }
        near.emplace_back(scores[i], i);
        std::push_heap(near.begin(), near.end(), std::greater<>());
      }
      for (auto& [score, item] : near) score = similarity(data, row, item);
      std::sort(near.begin(), near.end(), std::greater<>());
      near.resize(std::min<std::size_t>(near.size(), neighbors));
      truth[first + q] = {static_cast<double>(row), near.back().first};
      for (const auto& [score, item] : near)
        elsewhere[first + q] += cluster_of(item, data.n) != cluster_of(row, data.n) ? 1 : 0;
    });
  }
  save_bytes(out, truth.data(), truth.size() * sizeof(TrueRow));
  std::size_t total = 0;
  for (const std::size_t count : elsewhere) total += count;
  if (mixture)
    std::printf("%.1f%% of the nearest others lie in another cluster\n",
                100 * static_cast<double>(total) / static_cast<double>(rows.size() * neighbors));
}

double recall_of(const Data& data, const Lists& lists, const std::vector<TrueRow>& truth) {
  std::size_t found = 0;
  for (const auto& [number, kth] : truth) {
    const auto row = static_cast<std::size_t>(number);
    std::vector<std::uint32_t> items(lists.data() + row * neighbors, lists.data() + (row + 1) * neighbors);
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    for (const std::uint32_t item : items)
      if (item < data.n && item != row && similarity(data, row, item) >= kth - tie) ++found;
  }
  return static_cast<double>(found) / static_cast<double>(truth.size() * neighbors);
}

Difference compare_lists(const Data& data, const Lists& ours, const Lists& theirs) {
  Difference difference;
  for (std::size_t row = 0; row < data.n; ++row) {
    std::vector<std::uint32_t> a(ours.data() + row * neighbors, ours.data() + (row + 1) * neighbors);
    std::vector<std::uint32_t> b(theirs.data() + row * neighbors, theirs.data() + (row + 1) * neighbors);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    const auto unfit = [&](const std::vector<std::uint32_t>& items) {
      return items.back() >= data.n || std::adjacent_find(items.begin(), items.end()) != items.end() ||
             std::binary_search(items.begin(), items.end(), static_cast<std::uint32_t>(row));
    };
    if (unfit(a) || unfit(b)) {
      ++difference.wrong_rows;
      continue;
    }
    if (a == b) continue;
    double kth = 1e300;
    for (const std::uint32_t item : a) kth = std::min(kth, similarity(data, row, item));
    std::vector<std::uint32_t> apart;
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(apart));
    const bool tied = std::all_of(apart.begin(), apart.end(), [&](std::uint32_t item) {
      return std::abs(similarity(data, row, item) - kth) <= tie;
    });
    ++(tied ? difference.tied_rows : difference.wrong_rows);
  }
  return difference;
}

Trial::Trial(const Data& data, std::vector<TrueRow> truth, double wanted, double cap_seconds)
    : data_(data), truth_(std::move(truth)), wanted_(wanted), cap_seconds_(cap_seconds) {}

bool Trial::out_of_time() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() > cap_seconds_;
}

bool Trial::report(const std::string& setting, double seconds, const Lists& lists) {
  const double recall = recall_of(data_, lists, truth_);
  std::printf("{\"setting\": \"%s\", \"seconds\": %.6f, \"recall\": %.6f, \"bytes\": %.0f}\n",
              setting.c_str(), seconds, recall, peak_bytes());
  std::fflush(stdout);
  if (recall >= wanted_) fastest_good_ = std::min(fastest_good_, seconds);
  return recall < wanted_ && !out_of_time();
}

}  // namespace peers
