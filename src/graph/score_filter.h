#pragma once

#include <span>
#include <vector>

#include "graph/kernels/tile_kernel.h"
#include "graph/rows.h"
#include "pith/options.h"

namespace pith {

/// Rows made ready for products, in memory of the filter's user.
struct Panel {
  std::vector<float> buffer;
  const float* rows = nullptr;
  std::size_t count = 0;
};

/// Fast approximate scores of pairs with a proven error, to sort out what cannot be among the nearest.
///
/// The score of a pair is a strictly decreasing function of its canonical dissimilarity d: cosine -2 d, which
/// is minus the squared distance of the rows at length 1; L2 -(s d)^2; L1 -s d, s a power of two that keeps
/// floats in range. For the product p of a pair (i,j) let v = (p - offset_i) - offset_j in float arithmetic.
/// Then
///     v - width_i - width_j - stretch * |v|  <=  score(i,j)  <=  v.
///
/// With u = 2^-24 and any order of summation (kernels are free to choose, FMA or not) a product of D terms
/// errs by at most g(D) |x||y|, g(m) = m u / (1 - m u), plus D 2^-126 where terms underflow. Then:
/// - Cosine and L2: rows y = s (x - c), c the same for all (near their mean: what they have in common costs
///   no precision), err by u relatively. With r = |y|, r_i r_j <= (r_i^2 + r_j^2) / 2, so the doubled product
///   errs by g(D) (n_i + n_j), n = r^2; rounding y moves d^2 by at most 2 u (r_i + r_j)^2 <= 4 u (n_i + n_j);
///   n itself, the offset and the two subtractions cost 6 u (n_i + n_j). Sum below g(D + 16) (n_i + n_j). The
///   canonical score's own double rounding is nothing beside it for L2 (2^-52 D d^2); for the cosine, and for
///   scaling rows to length 1, it is absolute: (D + 16) 2^-50 covers both.
/// - The zero row has no direction: cosine calls it 1 from everything, the distance says 1/2. Its width makes
///   up for that.
/// - L1: differences and their sum of non-negative terms err by g(D) relatively.
/// Underflow adds (D + 16) 2^-118 where rows are scaled.
///
/// Kernels that round rows to bf16 multiply b = y + e, where |e| is measured, not guessed. By Cauchy-Schwarz
///     |b_i b_j - y_i y_j| = |e_i y_j + b_i e_j| <= |e_i||y_j| + |b_i||e_j|, and |b| <= (1 + 2^-8) |y|,
/// and for any t > 0, 2 |e_i||y_j| <= |e_i|^2 / t + t n_j: the doubled product errs by a share for each row,
/// least where t is the usual |e| / |y|. Their sums may be rounded twice a pair of terms (hardware differs),
/// so u = 2^-23 is used for them.
class ScoreFilter {
 public:
  /// Row r of the filter is item `items[r]` of the view. The view and items must outlive the filter.
  /// Bounds hold for the products of `kernel`, and for multiply() where it does not round rows.
  ScoreFilter(const MatrixView& view, Metric metric, const RowFacts& facts, std::span<const Item> items,
              const TileKernel& kernel, const Run& run);

  /// The same filter on some of its rows, in the order given. `items` must be those of the rows, and outlive
  /// this.
  ScoreFilter(const ScoreFilter& whole, std::span<const Item> rows, std::span<const Item> items);

  /// Most columns for which the bounds above are worth anything.
  static constexpr std::size_t most_columns = std::size_t{1} << 21;

  void load_left(std::size_t first, std::size_t count, Panel& panel) const;
  /// One row, appended to `out`, as load_left would have it.
  void append_left(Item row, std::vector<float>& out) const;
  void load_right(std::size_t first, std::size_t count, Panel& panel) const;
  /// Products of every row of `left` with every row of `right`, row-major without gaps.
  void multiply(const Panel& left, const Panel& right, float* products) const;

  /// Of prepared rows, where that of the rows themselves is `largest`: those of cosine and l2 are near 1.
  [[nodiscard]] double largest_prepared(double largest) const noexcept {
    return metric_ == Metric::l1 ? largest * scale_ : 1.0;
  }
  /// What the left rows of a kernel's product are to be multiplied by: the doubling of the mixed term.
  [[nodiscard]] float left_factor() const noexcept { return metric_ == Metric::l1 ? 1.0F : 2.0F; }
  /// The same for the kernel the filter was made for.
  void pack_left(std::size_t first, std::size_t count, std::vector<float>& scratch, PackedPanel& out) const;
  void pack_right(std::size_t first, std::size_t count, std::vector<float>& scratch, PackedPanel& out) const;

  [[nodiscard]] const float* offsets() const noexcept { return offsets_.data(); }
  [[nodiscard]] std::span<const float> widths() const noexcept { return widths_; }
  [[nodiscard]] float lower_bound(float upper, Item row, Item other) const noexcept {
    return lower_bound(upper, row, widths_[other]);
  }
  /// Of a pair whose other row is not known, but its width: not above that of any row of no more.
  [[nodiscard]] float lower_bound(float upper, Item row, float other_width) const noexcept {
    const auto v = static_cast<double>(upper);
    const double bound = v - static_cast<double>(widths_[row]) - static_cast<double>(other_width) +
                         stretch_ * (v < 0 ? v : -v);
    // An ulp lower than the nearest float is not above.
    return static_cast<float>(bound - (bound < 0 ? -bound : bound) * 0x1p-23 - 0x1p-148);
  }
  /// A float not above the score that belongs to a canonical dissimilarity.
  [[nodiscard]] float score_floor(double dissimilarity) const noexcept;
  /// A float not below it, near enough that lower_bound() of it is not above it.
  [[nodiscard]] float score_ceiling(double dissimilarity) const noexcept;

 private:
  void read(std::size_t first, std::size_t count, float* out) const;
  void prepare(std::size_t row, float* values) const;
  void choose_centre();
  void measure_rows(const Run& run);
  template <class Body>
  void for_each_row(const Run& run, Body body) const;
  [[nodiscard]] const float* prepared_rows(std::size_t first, std::size_t count,
                                           std::vector<float>& scratch) const;

  MatrixView view_;
  Metric metric_;
  const TileKernel* kernel_;
  std::span<const Item> items_;
  std::span<const double> squared_norms_;
  double scale_ = 1;
  double relative_error_ = 0;
  double absolute_error_ = 0;
  double stretch_ = 0;
  double usual_rounding_ = 0;  ///< |e| / |y| of a row rounded to bf16
  std::vector<double> centre_;
  std::vector<float> kept_;  ///< all rows made ready, or nothing
  std::vector<float> offsets_;
  std::vector<float> widths_;
};

}  // namespace pith
