#pragma once

#include "graph/kernels/tile_kernel.h"

namespace pith {

/// A kernel that writes all products of a tile to memory and looks through them afterwards.
class ProductsKernel : public TileKernel {
 public:
  [[nodiscard]] bool rounds_rows() const noexcept override { return false; }
  void pack_left(const float* rows, std::size_t count, std::size_t dimension, float factor,
                 PackedPanel& out) const override;
  void pack_right(const float* rows, std::size_t count, std::size_t dimension,
                  PackedPanel& out) const override;
  void find_hits(const PackedPanel& left, const PackedPanel& right, const TileSide& left_side,
                 const TileSide& right_side, std::vector<TileHit>& hits,
                 KernelScratch& scratch) const override;
  void write_values(const PackedPanel& left, const PackedPanel& right, const TileSide& left_side,
                    const TileSide& right_side, float* out, std::size_t stride,
                    KernelScratch& scratch) const override;

 private:
  /// Row-major without gaps.
  virtual void multiply(const float* left, std::size_t rows, const float* right, std::size_t columns,
                        std::size_t dimension, float* out) const = 0;
};

/// Single precision products by whatever BLAS is there. Callers keep it from starting threads of its own.
[[nodiscard]] const TileKernel& blas_kernel();

/// Appends the hits of row-major products.
void scan_products(const float* products, std::size_t stride, std::size_t rows, std::size_t columns,
                   std::size_t first_row, std::size_t first_column, const TileSide& left_side,
                   const TileSide& right_side, std::vector<TileHit>& hits);

/// Products as values, where they lie or elsewhere.
void write_products(const float* products, std::size_t products_stride, std::size_t rows, std::size_t columns,
                    const float* left_offsets, const float* right_offsets, float* out, std::size_t stride);

}  // namespace pith
