#include "data/checks.h"

#include <xxhash.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "data/refuse.h"
#include "data/tiles.h"

namespace pith {
namespace {

using RowHash = std::pair<std::uint64_t, std::uint64_t>;

RowHash hash_row(std::span<const float> row) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(row.data(), row.size_bytes());
  return {hash.high64, hash.low64};
}

/// Whether every value is finite and within float range: NaN fails every comparison.
template <class Value>
bool all_fit(std::span<const Value> row) noexcept {
  bool fit = true;
  for (const Value value : row) fit &= std::abs(value) <= Value{FLT_MAX};
  return fit;
}

template <class Value>
[[noreturn]] void refuse_row(const Matrix& matrix, std::size_t row, std::span<const Value> values) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [](Value value) { return !(std::abs(value) <= Value{FLT_MAX}); });
  const auto col = found - values.begin();
  const Matrix::Place place = matrix.place_of(row);
  if (std::isfinite(*found))
    refuse_input(
        place.source,
        "row {}, column {} (from 0): {} is beyond the range of a 32-bit float; scale your embeddings",
        place.row, col, *found);
  refuse_input(
      place.source,
      "row {}, column {} (from 0): {} is not a finite number; leave the item out or compute its embedding "
      "again",
      place.row, col, *found);
}

class Checker {
 public:
  Checker(const Matrix& matrix, bool hash_rows) : matrix_(matrix), hashes_(hash_rows ? matrix.rows() : 0) {}

  void check_tile(std::size_t first, std::size_t count) {
    if (matrix_.view.scalar == Scalar::f64)
      check_values<double>(first, count);
    else
      check_values<float>(first, count);
  }

  EmbeddingStats finish() {
    if (hashes_.empty()) return stats_;
    std::sort(hashes_.begin(), hashes_.end());
    const auto unique_end = std::unique(hashes_.begin(), hashes_.end());
    stats_.duplicates = static_cast<std::size_t>(hashes_.end() - unique_end);
    return stats_;
  }

 private:
  template <class Value>
  void check_values(std::size_t first, std::size_t count) {
    const std::size_t cols = matrix_.cols();
    std::vector<Value> tile(count * cols);
    std::vector<float> narrowed(cols);
    matrix_.view.read_rows(first, count, tile.data());
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const Value> row(tile.data() + i * cols, cols);
      if (!all_fit(row)) refuse_row(matrix_, first + i, row);
      // Adding zero turns -0 into +0, so that rows that compare equal hash equal.
      std::transform(row.begin(), row.end(), narrowed.begin(),
                     [](Value value) { return static_cast<float>(value) + 0.0F; });
      if (std::all_of(narrowed.begin(), narrowed.end(), [](float value) { return value == 0; }))
        note_zero_row(first + i, row);
      if (!hashes_.empty()) hashes_[first + i] = hash_row(narrowed);
    }
  }

  template <class Value>
  void note_zero_row(std::size_t row, std::span<const Value> values) {
    const auto nonzero = std::find_if(values.begin(), values.end(), [](Value value) { return value != 0; });
    if (nonzero != values.end()) {
      const Matrix::Place place = matrix_.place_of(row);
      refuse_input(
          place.source,
          "row {}, column {} (from 0): {} and the rest of the row are too small for 32-bit floats and would "
          "all become zero; scale your embeddings",
          place.row, nonzero - values.begin(), *nonzero);
    }
    const std::lock_guard lock(mutex_);
    ++stats_.zero_vectors;
    stats_.first_zero_vector = std::min(stats_.first_zero_vector.value_or(row), row);
  }

  const Matrix& matrix_;
  std::vector<RowHash> hashes_;  ///< by row; empty unless duplicates are counted
  std::mutex mutex_;             ///< guards stats_
  EmbeddingStats stats_;
};

EmbeddingStats check(Checker& checker, const Matrix& embeddings, const RowRange& rows, const Run& run) {
  for_each_tile(embeddings.view, rows, run, "checking embeddings",
                [&](std::size_t first, std::size_t count, unsigned) { checker.check_tile(first, count); });
  return checker.finish();
}

}  // namespace

EmbeddingStats check_embeddings(const Matrix& embeddings, const Run& run, CountDuplicates count) {
  Checker checker(embeddings, count == CountDuplicates::yes);
  return check(checker, embeddings, {0, embeddings.rows()}, run);
}

EmbeddingStats check_embeddings(const Matrix& embeddings, const RowRange& rows, const Run& run) {
  Checker checker(embeddings, false);
  return check(checker, embeddings, rows, run);
}

}  // namespace pith
