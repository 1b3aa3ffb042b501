#include "pith/matrix.h"

#include <bit>
#include <cstring>
#include <utility>

#include "base/half.h"

namespace pith {
namespace {

template <class Bits>
Bits load(const std::byte* at, bool swapped) noexcept {
  Bits bits;
  std::memcpy(&bits, at, sizeof bits);
  if (!swapped) return bits;
  if constexpr (sizeof bits == 2) return __builtin_bswap16(bits);
  if constexpr (sizeof bits == 4) return __builtin_bswap32(bits);
  if constexpr (sizeof bits == 8) return __builtin_bswap64(bits);
}

/// Copies rows one element at a time, in the order memory likes best for the view's strides.
template <class Bits, class Out, class Widen>
void copy_rows(const MatrixView& view, std::size_t first, std::size_t count, Out* out, Widen widen) {
  const auto element = [&](std::size_t row, std::size_t col) {
    const std::byte* at = view.data + static_cast<std::ptrdiff_t>(first + row) * view.row_stride_bytes +
                          static_cast<std::ptrdiff_t>(col) * view.col_stride_bytes;
    out[row * view.cols + col] = static_cast<Out>(widen(load<Bits>(at, view.byte_swapped)));
  };
  if (std::abs(view.row_stride_bytes) < std::abs(view.col_stride_bytes)) {
    for (std::size_t col = 0; col < view.cols; ++col)
      for (std::size_t row = 0; row < count; ++row) element(row, col);
  } else {
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t col = 0; col < view.cols; ++col) element(row, col);
  }
}

template <class Out>
void read_any(const MatrixView& view, std::size_t first, std::size_t count, Out* out) {
  switch (view.scalar) {
    case Scalar::f16:
      return copy_rows<std::uint16_t>(view, first, count, out, widen_f16);
    case Scalar::bf16:
      return copy_rows<std::uint16_t>(view, first, count, out, widen_bf16);
    case Scalar::f32:
      return copy_rows<std::uint32_t>(view, first, count, out,
                                      [](std::uint32_t bits) { return std::bit_cast<float>(bits); });
    case Scalar::f64:
      return copy_rows<std::uint64_t>(view, first, count, out,
                                      [](std::uint64_t bits) { return std::bit_cast<double>(bits); });
  }
}

}  // namespace

std::size_t bytes_of(Scalar scalar) noexcept {
  switch (scalar) {
    case Scalar::f16:
    case Scalar::bf16:
      return 2;
    case Scalar::f32:
      return 4;
    case Scalar::f64:
      return 8;
  }
  return 0;
}

const char* name_of(Scalar scalar) noexcept {
  switch (scalar) {
    case Scalar::f16:
      return "f16";
    case Scalar::bf16:
      return "bf16";
    case Scalar::f32:
      return "f32";
    case Scalar::f64:
      return "f64";
  }
  return "?";
}

MatrixView MatrixView::of_floats(const float* values, std::size_t rows, std::size_t cols) noexcept {
  return {.data = reinterpret_cast<const std::byte*>(values),
          .rows = rows,
          .cols = cols,
          .row_stride_bytes = static_cast<std::ptrdiff_t>(cols * sizeof(float)),
          .col_stride_bytes = sizeof(float),
          .scalar = Scalar::f32,
          .byte_swapped = false};
}

const float* MatrixView::as_floats() const noexcept {
  const bool direct = scalar == Scalar::f32 && !byte_swapped && col_stride_bytes == sizeof(float) &&
                      row_stride_bytes == static_cast<std::ptrdiff_t>(cols * sizeof(float)) &&
                      reinterpret_cast<std::uintptr_t>(data) % alignof(float) == 0;
  return direct ? reinterpret_cast<const float*>(data) : nullptr;
}

void MatrixView::read_rows(std::size_t first, std::size_t count, float* out) const {
  if (const float* direct = as_floats(); direct != nullptr) {
    std::memcpy(out, direct + first * cols, count * cols * sizeof(float));
    return;
  }
  read_any(*this, first, count, out);
}

void MatrixView::read_rows(std::size_t first, std::size_t count, double* out) const {
  read_any(*this, first, count, out);
}

Matrix Matrix::of_floats(std::vector<float> values, std::size_t rows, std::size_t cols, std::string source) {
  auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  const MatrixView view = MatrixView::of_floats(owner->data(), rows, cols);
  return {.view = view, .owner = std::move(owner), .source = std::move(source)};
}

}  // namespace pith
