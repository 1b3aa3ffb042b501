#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pith {

/// Index of an item (a row of the embeddings). Pith handles fewer than 2^32 - 1 items.
using Item = std::uint32_t;

enum class Scalar : std::uint8_t { f16, bf16, f32, f64 };

[[nodiscard]] std::size_t bytes_of(Scalar scalar) noexcept;
[[nodiscard]] const char* name_of(Scalar scalar) noexcept;

struct MatrixPieces;

/// A matrix in somebody else's memory, of any scalar type, stride and byte order, in one piece or in several.
/// Never owns, never copies as a whole: algorithms read the rows they need into a tile of their own, widened
/// there.
struct MatrixView {
  const std::byte* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::ptrdiff_t row_stride_bytes = 0;
  std::ptrdiff_t col_stride_bytes = 0;
  Scalar scalar = Scalar::f32;
  bool byte_swapped = false;  ///< the elements are in the other byte order than this machine's
  /// Where the rows lie, if not in one piece: `data` is null then, and strides and byte order are the
  /// pieces'.
  const MatrixPieces* pieces = nullptr;

  /// Row-major native floats at `values`.
  static MatrixView of_floats(const float* values, std::size_t rows, std::size_t cols) noexcept;

  /// The matrix itself, if it is native, aligned, row-major f32 without gaps; else nullptr.
  [[nodiscard]] const float* as_floats() const noexcept;
  /// One row as it lies, if that is native, aligned f32 side by side; else nullptr.
  [[nodiscard]] const float* row_as_floats(std::size_t row) const noexcept;
  /// Where a row begins, in whatever form it is there.
  [[nodiscard]] const std::byte* address_of(std::size_t row) const noexcept;

  /// Rows first .. first+count-1 as floats (f64 rounds to nearest) or doubles, row-major without gaps.
  void read_rows(std::size_t first, std::size_t count, float* out) const;
  void read_rows(std::size_t first, std::size_t count, double* out) const;
};

/// Rows that lie in several places, such as the shards of a dataset: one view after the other, each in one
/// piece, all of the same columns and scalar type.
struct MatrixPieces {
  std::vector<MatrixView> views;
  std::vector<std::size_t> starts;   ///< first row of each, then the number of all rows
  std::vector<std::string> sources;  ///< what errors call each

  [[nodiscard]] std::size_t piece_of(std::size_t row) const noexcept;

  /// Calls visit(view, first row in it, count, rows before) for the parts of consecutive rows that lie in one
  /// piece each.
  template <class Visit>
  void for_each_part(std::size_t first, std::size_t count, Visit visit) const {
    std::size_t done = 0;
    for (std::size_t piece = count == 0 ? 0 : piece_of(first); done < count; ++piece) {
      const std::size_t at = first + done - starts[piece];
      const std::size_t left = views[piece].rows - at;
      const std::size_t part = left < count - done ? left : count - done;
      visit(views[piece], at, part, done);
      done += part;
    }
  }
};

/// A view together with what keeps its memory alive (a mapping, a buffer) and the name errors call it by.
struct Matrix {
  MatrixView view;
  std::shared_ptr<const void> owner;
  std::string source;

  static Matrix of_floats(std::vector<float> values, std::size_t rows, std::size_t cols, std::string source);

  /// A row as the user knows it: in the file it came from, counted there.
  struct Place {
    std::string source;
    std::size_t row = 0;
  };
  [[nodiscard]] Place place_of(std::size_t row) const;

  [[nodiscard]] std::size_t rows() const noexcept { return view.rows; }
  [[nodiscard]] std::size_t cols() const noexcept { return view.cols; }
};

}  // namespace pith
