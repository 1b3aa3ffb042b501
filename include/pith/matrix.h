#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pith {

/// Index of an item (a row of the embeddings). Pith handles fewer than 2^32 - 1 items.
using Item = std::uint32_t;

enum class Scalar : std::uint8_t { f16, bf16, f32, f64 };

[[nodiscard]] std::size_t bytes_of(Scalar scalar) noexcept;
[[nodiscard]] const char* name_of(Scalar scalar) noexcept;

/// A matrix in somebody else's memory, of any scalar type, stride and byte order. Never owns, never copies as
/// a whole: algorithms read the rows they need into a tile of their own, widened there.
struct MatrixView {
  const std::byte* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::ptrdiff_t row_stride_bytes = 0;
  std::ptrdiff_t col_stride_bytes = 0;
  Scalar scalar = Scalar::f32;
  bool byte_swapped = false;  ///< the elements are in the other byte order than this machine's

  /// Row-major native floats at `values`.
  static MatrixView of_floats(const float* values, std::size_t rows, std::size_t cols) noexcept;

  /// The matrix itself, if it is native, aligned, row-major f32 without gaps; else nullptr.
  [[nodiscard]] const float* as_floats() const noexcept;

  /// Rows first .. first+count-1 as floats (f64 rounds to nearest) or doubles, row-major without gaps.
  void read_rows(std::size_t first, std::size_t count, float* out) const;
  void read_rows(std::size_t first, std::size_t count, double* out) const;
};

/// A view together with what keeps its memory alive (a mapping, a buffer) and the name errors call it by.
struct Matrix {
  MatrixView view;
  std::shared_ptr<const void> owner;
  std::string source;

  static Matrix of_floats(std::vector<float> values, std::size_t rows, std::size_t cols, std::string source);

  [[nodiscard]] std::size_t rows() const noexcept { return view.rows; }
  [[nodiscard]] std::size_t cols() const noexcept { return view.cols; }
};

}  // namespace pith
