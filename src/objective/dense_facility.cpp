#include "objective/dense_facility.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

#include "base/clones.h"
#include "base/parallel.h"
#include "graph/metric.h"
#include "pith/error.h"

namespace pith {
namespace {

constexpr std::uint32_t one = std::uint32_t{1} << 31;
constexpr double unit = 0x1p-31;

/// sum of max(0, row - best): what a new pick adds.
PITH_CLONES std::uint64_t sum_above(const std::uint32_t* row, const std::uint32_t* best,
                                    std::size_t count) noexcept {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < count; ++at) sum += std::max(row[at], best[at]) - best[at];
  return sum;
}

/// What S loses with a pick: where it is the best, the way down to the second.
PITH_CLONES std::uint64_t sum_lost(const std::uint32_t* row, const std::uint32_t* best,
                                   const std::uint32_t* second, std::size_t count) noexcept {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < count; ++at) sum += row[at] < best[at] ? 0 : row[at] - second[at];
  return sum;
}

class State final : public TermState {
 public:
  State(std::size_t n, const std::uint32_t* similarity)
      : n_(n), similarity_(similarity), best_(n, 0), second_(n, 0), in_(n) {}

  [[nodiscard]] double gain(Item item) const override {
    const std::uint64_t sum = in_.contains(item) ? sum_lost(row(item), best_.data(), second_.data(), n_)
                                                 : sum_above(row(item), best_.data(), n_);
    return static_cast<double>(sum) * unit;
  }
  void add(Item item, const Membership& /*set*/) override {
    in_.insert(item);
    members_.push_back(item);
    offer_row(item);
  }
  void remove(Item item, const Membership& /*set*/) override {
    in_.erase(item);
    std::erase(members_, item);
    std::fill(best_.begin(), best_.end(), 0);
    std::fill(second_.begin(), second_.end(), 0);
    for (const Item member : members_) offer_row(member);
  }

 private:
  [[nodiscard]] const std::uint32_t* row(Item item) const noexcept { return similarity_ + item * n_; }
  void offer_row(Item item) {
    const std::uint32_t* s = row(item);
    for (std::size_t at = 0; at < n_; ++at) {
      second_[at] = std::max(second_[at], std::min(s[at], best_[at]));
      best_[at] = std::max(best_[at], s[at]);
    }
  }

  std::size_t n_;
  const std::uint32_t* similarity_;
  std::vector<std::uint32_t> best_;
  std::vector<std::uint32_t> second_;
  Membership in_;
  std::vector<Item> members_;
};

/// In large pages where the system has them: gigabytes in small ones take a tenth of a second to give back.
std::unique_ptr<std::uint32_t[], void (*)(void*)> allocate_table(std::size_t entries) {
  constexpr std::size_t page = std::size_t{2} << 20;
  const std::size_t bytes = (entries * sizeof(std::uint32_t) + page - 1) / page * page;
  void* const memory = std::aligned_alloc(page, bytes);
  if (memory == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  ::madvise(memory, bytes, MADV_HUGEPAGE);  // a hint
#endif
  return {static_cast<std::uint32_t*>(memory), std::free};
}

/// Similarities of all pairs, tile by tile, so that both halves of the table are written a few lines at a
/// time.
class TableFiller {
 public:
  TableFiller(const Graph& graph, const MatrixView& rows, std::uint32_t* table)
      : graph_(graph), n_(rows.rows), cols_(rows.cols), values_(n_ * cols_), norms_(n_), table_(table) {
    rows.read_rows(0, n_, values_.data());
  }

  void fill(const Run& run) {
    parallel_for(run, n_, side, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
      for (std::size_t i = begin; i < end; ++i) norms_[i] = squared_norm(row(i), cols_);
    });
    parallel_for(run, n_, side, [&](std::size_t begin, std::size_t end, unsigned worker) {
      if (worker == 0) run.report("similarities", static_cast<double>(begin), static_cast<double>(n_));
      for (std::size_t column = begin; column < n_; column += side) {
        run.check_cancelled();
        fill_tile(begin, end, column, std::min(n_, column + side));
      }
    });
  }

 private:
  static constexpr std::size_t side = 64;

  [[nodiscard]] const float* row(std::size_t i) const noexcept { return values_.data() + i * cols_; }

  void fill_tile(std::size_t begin, std::size_t end, std::size_t column, std::size_t column_end) {
    const Metric metric = graph_.info().metric;
    for (std::size_t i = begin; i < end; ++i) {
      if (column == begin) table_[i * n_ + i] = one;
      for (std::size_t j = std::max(i + 1, column); j < column_end; ++j) {
        const double d = dissimilarity(metric, row(i), row(j), cols_, norms_[i], norms_[j]);
        const double s = graph_.similarity(stored_dissimilarity(d));
        table_[i * n_ + j] = table_[j * n_ + i] = static_cast<std::uint32_t>(std::lround(s / unit));
      }
    }
  }

  const Graph& graph_;
  std::size_t n_;
  std::size_t cols_;
  std::vector<float> values_;
  std::vector<double> norms_;
  std::uint32_t* table_;
};

}  // namespace

DenseFacilityTerm::DenseFacilityTerm(const Graph& graph, const MatrixView& rows, const Run& run)
    : n_(rows.rows), similarity_(allocate_table(n_ * n_)), largest_(n_, 0) {
  TableFiller(graph, rows, similarity_.get()).fill(run);
  parallel_for(run, n_, 64, [&](std::size_t begin, std::size_t end, unsigned /*worker*/) {
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        if (j != i) largest_[i] = std::max(largest_[i], similarity_[i * n_ + j]);
  });
  // An edge's s is rounded once more here, by half a unit at most; a factor that makes up for it stays a
  // bound.
  double least = 1;
  for (const float d : graph.all_dissimilarities())
    if (const double s = graph.similarity(d); s > 0) least = std::min(least, std::floor(s / unit) * unit / s);
  pair_loss_ = 2 * least;
}

std::unique_ptr<TermState> DenseFacilityTerm::start() const {
  return std::make_unique<State>(n_, similarity_.get());
}

double DenseFacilityTerm::value(std::span<const Item> set) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    std::uint32_t best = 0;
    for (const Item j : set) best = std::max(best, similarity_[i * n_ + j]);
    sum += best;
  }
  return static_cast<double>(sum) * unit;
}

double DenseFacilityTerm::least_gain(Item item) const {
  return static_cast<double>(one - largest_[item]) * unit;
}

std::unique_ptr<Term> make_dense_facility_term(const TermSources& sources) {
  constexpr std::uint64_t usual_limit = std::uint64_t{4} << 30;
  if (sources.embeddings == nullptr || sources.embeddings->rows() == 0)
    throw Error(ErrorKind::bad_option,
                "--facility: dense compares the embeddings themselves; pass --embeddings FILE");
  const std::size_t n = sources.embeddings->rows();
  const std::uint64_t wanted = DenseFacilityTerm::bytes_of(n);
  const std::uint64_t limit = sources.memory_bytes.value_or(usual_limit);
  if (wanted > limit)
    throw Error(ErrorKind::bad_option,
                fmt::format("--facility: dense takes {:.1f} GiB for {} items, and {:.1f} GiB are allowed; "
                            "raise --memory or use --facility graph",
                            static_cast<double>(wanted) / 0x1p30, n, static_cast<double>(limit) / 0x1p30));
  return std::make_unique<DenseFacilityTerm>(sources.graph, sources.embeddings->view, sources.run);
}

}  // namespace pith
