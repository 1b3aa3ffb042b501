#include "graph/kernels/products_kernel.h"

#include <cblas.h>

#include <algorithm>

#include "base/clones.h"

namespace pith {
namespace {

/// Which of the columns pass, a bit each; up to 64.
PITH_CLONES std::uint64_t passing(const float* products, const float* offsets, const float* bars,
                                  std::size_t count, float offset, float bar) noexcept {
  std::uint32_t any = 0;
  for (std::size_t c = 0; c < count; ++c) {
    const float value = (products[c] - offset) - offsets[c];
    const float least = bars[c] < bar ? bars[c] : bar;
    any |= static_cast<std::uint32_t>(value >= least);
  }
  if (any == 0) return 0;
  std::uint64_t mask = 0;
  for (std::size_t c = 0; c < count; ++c) {
    const float value = (products[c] - offset) - offsets[c];
    mask |= static_cast<std::uint64_t>(value >= std::min(bar, bars[c])) << c;
  }
  return mask;
}

PITH_CLONES void write_row(const float* products, const float* offsets, std::size_t count, float offset,
                           float* out) noexcept {
  for (std::size_t c = 0; c < count; ++c) out[c] = (products[c] - offset) - offsets[c];
}

class BlasKernel final : public ProductsKernel {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "blas"; }

 private:
  void multiply(const float* left, std::size_t rows, const float* right, std::size_t columns,
                std::size_t dimension, float* out) const override {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(rows), static_cast<int>(columns),
                static_cast<int>(dimension), 1.0F, left, static_cast<int>(dimension), right,
                static_cast<int>(dimension), 0.0F, out, static_cast<int>(columns));
  }
};

}  // namespace

void scan_products(const float* products, std::size_t stride, std::size_t rows, std::size_t columns,
                   std::size_t first_row, std::size_t first_column, const TileSide& left_side,
                   const TileSide& right_side, std::vector<TileHit>& hits) {
  constexpr std::size_t width = 64;
  for (std::size_t r = 0; r < rows; ++r) {
    const float offset = left_side.offsets[first_row + r];
    for (std::size_t c = 0; c < columns; c += width) {
      const float* const at = products + r * stride + c;
      const float* const offsets = right_side.offsets.data() + first_column + c;
      for (std::uint64_t mask = passing(at, offsets, right_side.bars.data() + first_column + c,
                                        std::min(width, columns - c), offset, left_side.bars[first_row + r]);
           mask != 0; mask &= mask - 1) {
        const auto place = static_cast<std::size_t>(__builtin_ctzll(mask));
        hits.push_back({static_cast<std::uint32_t>(first_row + r),
                        static_cast<std::uint32_t>(first_column + c + place),
                        (at[place] - offset) - offsets[place]});
      }
    }
  }
}

void write_products(const float* products, std::size_t products_stride, std::size_t rows, std::size_t columns,
                    const float* left_offsets, const float* right_offsets, float* out, std::size_t stride) {
  for (std::size_t r = 0; r < rows; ++r)
    write_row(products + r * products_stride, right_offsets, columns, left_offsets[r], out + r * stride);
}

void ProductsKernel::pack_left(const float* rows, std::size_t count, std::size_t dimension, float factor,
                               PackedPanel& out) const {
  out.count = count;
  out.dimension = dimension;
  out.words.resize(count * dimension);
  auto* const to = reinterpret_cast<float*>(out.words.data());
  std::transform(rows, rows + count * dimension, to, [&](float x) { return x * factor; });
}

void ProductsKernel::pack_right(const float* rows, std::size_t count, std::size_t dimension,
                                PackedPanel& out) const {
  pack_left(rows, count, dimension, 1.0F, out);
}

void ProductsKernel::find_hits(const PackedPanel& left, const PackedPanel& right, const TileSide& left_side,
                               const TileSide& right_side, std::vector<TileHit>& hits,
                               KernelScratch& scratch) const {
  scratch.products.resize(left.count * right.count);
  multiply(reinterpret_cast<const float*>(left.words.data()), left.count,
           reinterpret_cast<const float*>(right.words.data()), right.count, left.dimension,
           scratch.products.data());
  scan_products(scratch.products.data(), right.count, left.count, right.count, 0, 0, left_side, right_side,
                hits);
}

const TileKernel& blas_kernel() {
  static const BlasKernel kernel;
  return kernel;
}

void ProductsKernel::write_values(const PackedPanel& left, const PackedPanel& right,
                                  const TileSide& left_side, const TileSide& right_side, float* out,
                                  std::size_t stride, KernelScratch& scratch) const {
  scratch.products.resize(left.count * right.count);
  multiply(reinterpret_cast<const float*>(left.words.data()), left.count,
           reinterpret_cast<const float*>(right.words.data()), right.count, left.dimension,
           scratch.products.data());
  write_products(scratch.products.data(), right.count, left.count, right.count, left_side.offsets.data(),
                 right_side.offsets.data(), out, stride);
}

}  // namespace pith
