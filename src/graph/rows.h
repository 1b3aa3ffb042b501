#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pith/matrix.h"
#include "pith/run.h"

namespace pith {

/// What one pass over the embeddings finds out about them.
struct RowFacts {
  std::vector<double> squared_norms;  ///< canonical, of the rows as floats
  std::vector<std::uint64_t> hashes;  ///< equal for rows of equal values (-0 equals 0)
  double largest = 0;                 ///< of all |x|
};

/// Throws Error{bad_input} naming the first row with an element that is not finite as a float.
[[nodiscard]] RowFacts survey_rows(const MatrixView& view, const Run& run);

/// Rows with equal values taken together: they are equally far from everything, so a search needs one of
/// each. Groups are numbered by their lowest item, ascending.
struct DistinctRows {
  std::vector<Item> first;     ///< lowest item of each group
  std::vector<Item> group_of;  ///< of each item
  std::vector<std::uint32_t>
      starts;  ///< members of group g: members[starts[g]] .. members[starts[g + 1] - 1], ascending
  std::vector<Item> members;
};

/// O(n log n + n D). Hashes only propose; rows are compared before they are taken together.
[[nodiscard]] DistinctRows group_equal_rows(const MatrixView& view, const RowFacts& facts, const Run& run);

/// Asks memory for a row that will be read soon.
inline void expect_row(const MatrixView& view, Item item) noexcept {
  const std::byte* const first = view.address_of(item);
  const std::size_t bytes = std::min<std::size_t>(view.cols * bytes_of(view.scalar), 1024);
  for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(first + at);
}

/// Reads single rows as floats, without copying those that are plain floats where they lie. One per thread; a
/// row stays valid until the next call with the same place.
class RowReader {
 public:
  explicit RowReader(const MatrixView& view) : view_(view), direct_(view.as_floats()) {
    if (direct_ == nullptr) scratch_.resize(2 * view.cols);
  }
  [[nodiscard]] const float* row(Item item, unsigned place) {
    if (direct_ != nullptr) return direct_ + item * view_.cols;
    if (const float* as_it_lies = view_.row_as_floats(item); as_it_lies != nullptr) return as_it_lies;
    float* at = scratch_.data() + place * view_.cols;
    view_.read_rows(item, 1, at);
    return at;
  }
  void expect(Item item) const noexcept { expect_row(view_, item); }

 private:
  MatrixView view_;
  const float* direct_;
  std::vector<float> scratch_;
};

}  // namespace pith
