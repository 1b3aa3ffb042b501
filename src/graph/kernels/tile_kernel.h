#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "graph/kernels/aligned_words.h"

namespace pith {

/// Rows in the order a kernel wants them: its own business, but always 32-bit words, a float or two bf16
/// each.
struct PackedPanel {
  AlignedWords words;
  std::size_t count = 0;      ///< rows
  std::size_t dimension = 0;  ///< of each
};

/// What the rows of one side of a tile are compared with, padded so that kernels need no edges. Filling has
/// the value minus infinity.
struct TileSide {
  static constexpr std::size_t padding = 64;
  std::vector<float> offsets;
  std::vector<float> bars;

  [[nodiscard]] static constexpr std::size_t padded(std::size_t count) noexcept {
    return (count + padding - 1) / padding * padding;
  }
  void assign(const float* its_offsets, const float* its_bars, std::size_t count) {
    const std::size_t padded_count = padded(count);
    offsets.assign(its_offsets, its_offsets + count);
    offsets.resize(padded_count, std::numeric_limits<float>::infinity());
    bars.assign(its_bars, its_bars + count);
    bars.resize(padded_count, std::numeric_limits<float>::infinity());
  }
  /// For values alone: there are bars, but they say nothing.
  void assign(const float* its_offsets, std::size_t count) {
    offsets.assign(its_offsets, its_offsets + count);
    offsets.resize(padded(count), std::numeric_limits<float>::infinity());
    bars.resize(offsets.size());
  }
};

struct TileHit {
  std::uint32_t row;
  std::uint32_t column;
  float value;
};

/// Scratch of a thread.
struct KernelScratch {
  std::vector<float> products;
};

/// Products of rows, and which pairs may matter. For a pair (r, c) with product p of the packed rows
///     value = (p - left.offsets[r]) - right.offsets[c],
/// in float arithmetic, and the pair is a hit where value >= min(left.bars[r], right.bars[c]). The value of a
/// pair depends on its two rows alone, not on its place in a tile, but for `blas`, which may round otherwise
/// elsewhere. Kernels have no state: one serves all threads.
class TileKernel {
 public:
  TileKernel() = default;
  TileKernel(const TileKernel&) = delete;
  TileKernel& operator=(const TileKernel&) = delete;
  virtual ~TileKernel() = default;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  /// Whether rows are rounded to bf16 before they are multiplied, as round_to_bf16() does it.
  [[nodiscard]] virtual bool rounds_rows() const noexcept = 0;
  /// Rows row-major without gaps; the left ones are multiplied by `factor`, a power of two.
  virtual void pack_left(const float* rows, std::size_t count, std::size_t dimension, float factor,
                         PackedPanel& out) const = 0;
  virtual void pack_right(const float* rows, std::size_t count, std::size_t dimension,
                          PackedPanel& out) const = 0;
  /// Appends the hits of a tile, in any order.
  virtual void find_hits(const PackedPanel& left, const PackedPanel& right, const TileSide& left_side,
                         const TileSide& right_side, std::vector<TileHit>& hits,
                         KernelScratch& scratch) const = 0;
  /// Every value of a tile, that of (r, c) at out[r * stride + c]. Filling may be written too: there must be
  /// room for both sides padded.
  virtual void write_values(const PackedPanel& left, const PackedPanel& right, const TileSide& left_side,
                            const TileSide& right_side, float* out, std::size_t stride,
                            KernelScratch& scratch) const = 0;
};

/// The nearest bf16, ties to even, as a float's upper half. Finite floats stay finite below 2^127.
[[nodiscard]] inline std::uint32_t round_to_bf16(std::uint32_t float_bits) noexcept {
  return (float_bits + 0x7fffU + ((float_bits >> 16) & 1U)) & 0xffff0000U;
}

/// Fastest first, those this machine can run: of amx, avx512bf16, avx512 (on Intel's before the former),
/// avx2, blas.
[[nodiscard]] std::vector<std::string> kernel_names();

/// The kernel of that name. Empty: the one the environment's PITH_KERNEL names, else the fastest. Throws
/// Error{bad_option} for an unknown one and for one this machine cannot run. `amx-emulated` is the amx kernel
/// on tiles made of plain arithmetic: slow, for tests on machines without. `amx-unchecked`, which the
/// environment cannot name, is the amx kernel whatever the machine has, for tests that catch its
/// instructions.
[[nodiscard]] const TileKernel& find_kernel(std::string_view name = {});

}  // namespace pith
