#include "pith/matrix.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
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

/// Halves that stand side by side, the common case.
template <float (*widen)(std::uint16_t)>
void widen_each(const std::byte* from, std::size_t count, float* out) {
  for (std::size_t at = 0; at < count; ++at) out[at] = widen(load<std::uint16_t>(from + 2 * at, false));
}

#if defined(__x86_64__)
/// Eight at a time, by the instruction made for it: the same values.
__attribute__((target("avx2,f16c"))) void widen_f16_by_eight(const std::byte* from, std::size_t count,
                                                             float* out) {
  std::size_t at = 0;
  for (; at + 8 <= count; at += 8)
    _mm256_storeu_ps(out + at,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 2 * at))));
  widen_each<widen_f16>(from + 2 * at, count - at, out + at);
}
#endif

using WidenAll = void (*)(const std::byte* from, std::size_t count, float* out);

WidenAll widen_all_f16() noexcept {
#if defined(__x86_64__)
  // Every processor with AVX2 has F16C, for which clang 14 has no name here.
  if (__builtin_cpu_supports("avx2") != 0) return widen_f16_by_eight;
#endif
  return widen_each<widen_f16>;
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

template <class Out>
void read_parts(const MatrixPieces& pieces, std::size_t first, std::size_t count, Out* out) {
  pieces.for_each_part(first, count,
                       [&](const MatrixView& view, std::size_t at, std::size_t rows, std::size_t before) {
                         view.read_rows(at, rows, out + before * view.cols);
                       });
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

std::size_t MatrixPieces::piece_of(std::size_t row) const noexcept {
  return static_cast<std::size_t>(std::upper_bound(starts.begin() + 1, starts.end() - 1, row) -
                                  (starts.begin() + 1));
}

Matrix::Place Matrix::place_of(std::size_t row) const {
  if (view.pieces == nullptr) return {.source = source, .row = row};
  const std::size_t piece = view.pieces->piece_of(row);
  return {.source = view.pieces->sources[piece], .row = row - view.pieces->starts[piece]};
}

const std::byte* MatrixView::address_of(std::size_t row) const noexcept {
  if (pieces == nullptr) return data + static_cast<std::ptrdiff_t>(row) * row_stride_bytes;
  const std::size_t piece = pieces->piece_of(row);
  return pieces->views[piece].address_of(row - pieces->starts[piece]);
}

const float* MatrixView::row_as_floats(std::size_t row) const noexcept {
  if (pieces != nullptr) {
    const std::size_t piece = pieces->piece_of(row);
    return pieces->views[piece].row_as_floats(row - pieces->starts[piece]);
  }
  const std::byte* const at = address_of(row);
  const bool direct = scalar == Scalar::f32 && !byte_swapped && col_stride_bytes == sizeof(float) &&
                      reinterpret_cast<std::uintptr_t>(at) % alignof(float) == 0;
  return direct ? reinterpret_cast<const float*>(at) : nullptr;
}

const float* MatrixView::as_floats() const noexcept {
  const bool direct = pieces == nullptr && scalar == Scalar::f32 && !byte_swapped &&
                      col_stride_bytes == sizeof(float) &&
                      row_stride_bytes == static_cast<std::ptrdiff_t>(cols * sizeof(float)) &&
                      reinterpret_cast<std::uintptr_t>(data) % alignof(float) == 0;
  return direct ? reinterpret_cast<const float*>(data) : nullptr;
}

void MatrixView::read_rows(std::size_t first, std::size_t count, float* out) const {
  if (pieces != nullptr) return read_parts(*pieces, first, count, out);
  if (const float* direct = as_floats(); direct != nullptr) {
    std::memcpy(out, direct + first * cols, count * cols * sizeof(float));
    return;
  }
  if (bytes_of(scalar) == 2 && !byte_swapped && col_stride_bytes == 2) {
    static const WidenAll f16 = widen_all_f16();
    const WidenAll widen_all = scalar == Scalar::f16 ? f16 : widen_each<widen_bf16>;
    for (std::size_t row = 0; row < count; ++row)
      widen_all(data + static_cast<std::ptrdiff_t>(first + row) * row_stride_bytes, cols, out + row * cols);
    return;
  }
  read_any(*this, first, count, out);
}

void MatrixView::read_rows(std::size_t first, std::size_t count, double* out) const {
  if (pieces != nullptr) return read_parts(*pieces, first, count, out);
  read_any(*this, first, count, out);
}

Matrix Matrix::of_floats(std::vector<float> values, std::size_t rows, std::size_t cols, std::string source) {
  auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  const MatrixView view = MatrixView::of_floats(owner->data(), rows, cols);
  return {.view = view, .owner = std::move(owner), .source = std::move(source)};
}

}  // namespace pith
