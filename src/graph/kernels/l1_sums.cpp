#include "graph/kernels/l1_sums.h"

#include <algorithm>
#include <cmath>

#include "base/clones.h"
#include "graph/kernels/products_kernel.h"

namespace pith {
namespace {

constexpr std::size_t strip = 64;  ///< columns summed side by side

std::size_t padded(std::size_t count) noexcept {
  return (count + strip - 1) / strip * strip;
}

/// out[c] = -shrink * sum_d |row[d] - columns[d * stride + c]|, c < strip.
PITH_CLONES void sum_strip(const float* row, const float* columns, std::size_t stride, std::size_t dimension,
                           float shrink, float* out) noexcept {
  float sums[strip] = {};
  for (std::size_t d = 0; d < dimension; ++d, columns += stride) {
    const float x = row[d];
    for (std::size_t c = 0; c < strip; ++c) sums[c] += std::fabs(x - columns[c]);
  }
  for (std::size_t c = 0; c < strip; ++c) out[c] = -shrink * sums[c];
}

class L1Kernel final : public ProductsKernel {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "l1"; }
  void pack_right(const float* rows, std::size_t count, std::size_t dimension,
                  PackedPanel& out) const override {
    out.count = count;
    out.dimension = dimension;
    out.words.resize(l1_words(count, dimension));
    lay_out_for_l1(rows, count, dimension, reinterpret_cast<float*>(out.words.data()));
  }

 private:
  void multiply(const float* left, std::size_t rows, const float* right, std::size_t columns,
                std::size_t dimension, float* out) const override {
    l1_scores(left, rows, right, columns, dimension, static_cast<float>(1 - sum_error(dimension)), out);
  }
};

}  // namespace

std::size_t l1_words(std::size_t count, std::size_t dimension) noexcept {
  return padded(count) * dimension;
}

void lay_out_for_l1(const float* rows, std::size_t count, std::size_t dimension, float* out) {
  const std::size_t stride = padded(count);
  std::fill_n(out, stride * dimension, 0.0F);
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t d = 0; d < dimension; ++d) out[d * stride + r] = rows[r * dimension + d];
}

void l1_scores(const float* left, std::size_t rows, const float* right, std::size_t columns,
               std::size_t dimension, float shrink, float* scores) {
  const std::size_t stride = padded(columns);
  float sums[strip];
  for (std::size_t c = 0; c < columns; c += strip) {
    const std::size_t width = std::min(strip, columns - c);
    for (std::size_t r = 0; r < rows; ++r) {
      sum_strip(left + r * dimension, right + c, stride, dimension, shrink, sums);
      std::copy_n(sums, width, scores + r * columns + c);
    }
  }
}

double sum_error(std::size_t dimension, double unit) noexcept {
  const double steps = (static_cast<double>(dimension) + 16) * unit;
  return steps / (1 - steps);
}

const TileKernel& l1_kernel() {
  static const L1Kernel kernel;
  return kernel;
}

}  // namespace pith
