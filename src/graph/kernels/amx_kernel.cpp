#include "graph/kernels/amx_kernel.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "graph/kernels/group_kernel.h"
#include "graph/kernels/packing.h"
#include "graph/kernels/products_kernel.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace pith {
namespace {

// A tile is 16 lines of 64 bytes. Left: line r holds 32 bf16 of row r. Right: line w holds word w (two bf16)
// of 16 rows. Sums: line r holds row r against 16 right rows. Four tiles of sums are filled at a time: 32 x
// 32 pairs.
constexpr std::size_t tile_rows = 16;
constexpr std::size_t tile_words = 16;
constexpr std::size_t tile_size = tile_rows * tile_words;
constexpr std::size_t block = 2 * tile_rows;

std::size_t steps_of(std::size_t dimension) noexcept {
  return (words_of(dimension, true) + tile_words - 1) / tile_words;
}

#if defined(__x86_64__)

/// The tiles of the processor. gcc 12's intrinsic for loading the configuration crashes; assembly does not.
class HardwareTiles {
 public:
  HardwareTiles() {
    struct alignas(64) Configuration {
      std::uint8_t palette = 1;
      std::uint8_t start_row = 0;
      std::uint8_t reserved[14] = {};
      std::uint16_t line_bytes[16] = {};
      std::uint8_t lines[16] = {};
    } configuration;
    static_assert(sizeof(Configuration) == 64);
    for (std::size_t tile = 0; tile < 8; ++tile) {
      configuration.line_bytes[tile] = 64;
      configuration.lines[tile] = tile_rows;
    }
    asm volatile("ldtilecfg %0" ::"m"(configuration));
  }
  ~HardwareTiles() { asm volatile("tilerelease" ::: "memory"); }
  HardwareTiles(const HardwareTiles&) = delete;
  HardwareTiles& operator=(const HardwareTiles&) = delete;

  /// sums (32 x 32, row-major) of two left and two right tiles a step.
  void multiply(const std::uint32_t* left, std::size_t left_stride, const std::uint32_t* right,
                std::size_t right_stride, std::size_t steps, float* sums) const noexcept {
    const long line = 64;
    asm volatile("tilezero %%tmm0\n\ttilezero %%tmm1\n\ttilezero %%tmm2\n\ttilezero %%tmm3" ::: "memory");
    for (std::size_t step = 0; step < steps; ++step, left += tile_size, right += tile_size) {
      asm volatile(
          "tileloadd (%0,%4,1), %%tmm4\n\t"
          "tileloadd (%2,%4,1), %%tmm6\n\t"
          "tileloadd (%3,%4,1), %%tmm7\n\t"
          "tdpbf16ps %%tmm6, %%tmm4, %%tmm0\n\t"
          "tileloadd (%1,%4,1), %%tmm5\n\t"
          "tdpbf16ps %%tmm7, %%tmm4, %%tmm1\n\t"
          "tdpbf16ps %%tmm6, %%tmm5, %%tmm2\n\t"
          "tdpbf16ps %%tmm7, %%tmm5, %%tmm3" ::"r"(left),
          "r"(left + left_stride), "r"(right), "r"(right + right_stride), "r"(line)
          : "memory");
    }
    const long sums_line = block * sizeof(float);
    asm volatile(
        "tilestored %%tmm0, (%0,%4,1)\n\t"
        "tilestored %%tmm1, (%1,%4,1)\n\t"
        "tilestored %%tmm2, (%2,%4,1)\n\t"
        "tilestored %%tmm3, (%3,%4,1)" ::"r"(sums),
        "r"(sums + tile_rows), "r"(sums + block * tile_rows), "r"(sums + block * tile_rows + tile_rows),
        "r"(sums_line)
        : "memory");
  }
  /// Every machine with AMX has AVX-512.
  void take_hits(const float* sums, std::size_t row, std::size_t column, std::size_t rows,
                 std::size_t columns, const TileSide& left_side, const TileSide& right_side,
                 std::vector<TileHit>& hits) const {
    for (std::size_t r = row; r < std::min(row + block, rows); r += group_rows, sums += group_rows * block)
      take_sums_avx512(sums, block, group_pair_at(r, column, rows, columns, left_side, right_side), hits);
  }
};

#endif

/// The same arithmetic without the processor's help, pair of bf16 by pair.
class EmulatedTiles {
 public:
  void multiply(const std::uint32_t* left, std::size_t left_stride, const std::uint32_t* right,
                std::size_t right_stride, std::size_t steps, float* sums) const noexcept {
    for (std::size_t r = 0; r < block; ++r)
      for (std::size_t c = 0; c < block; ++c) {
        const std::uint32_t* const rows = left + r / tile_rows * left_stride + r % tile_rows * tile_words;
        const std::uint32_t* const columns = right + c / tile_rows * right_stride + c % tile_rows;
        float sum = 0;
        for (std::size_t step = 0; step < steps; ++step)
          for (std::size_t w = 0; w < tile_words; ++w) {
            const std::uint32_t x = rows[step * tile_size + w];
            const std::uint32_t y = columns[step * tile_size + w * tile_rows];
            sum += std::bit_cast<float>(x << 16) * std::bit_cast<float>(y << 16);
            sum += std::bit_cast<float>(x & 0xffff0000U) * std::bit_cast<float>(y & 0xffff0000U);
          }
        sums[r * block + c] = sum;
      }
  }
  void take_hits(const float* sums, std::size_t row, std::size_t column, std::size_t rows,
                 std::size_t columns, const TileSide& left_side, const TileSide& right_side,
                 std::vector<TileHit>& hits) const {
    scan_products(sums, block, std::min(block, rows - row), std::min(block, columns - column), row, column,
                  left_side, right_side, hits);
  }
};

template <class Tiles>
class AmxKernel final : public TileKernel {
 public:
  explicit AmxKernel(std::string_view name) : name_(name) {}
  [[nodiscard]] std::string_view name() const noexcept override { return name_; }
  [[nodiscard]] bool rounds_rows() const noexcept override { return true; }

  void pack_left(const float* rows, std::size_t count, std::size_t dimension, float factor,
                 PackedPanel& out) const override {
    pack(rows, count, dimension, factor, out,
         [](std::uint32_t* tile, std::size_t r, const std::uint32_t* line) {
           std::memcpy(tile + r * tile_words, line, tile_words * sizeof(std::uint32_t));
         });
  }
  void pack_right(const float* rows, std::size_t count, std::size_t dimension,
                  PackedPanel& out) const override {
    pack(rows, count, dimension, 1.0F, out,
         [](std::uint32_t* tile, std::size_t r, const std::uint32_t* line) {
           for (std::size_t w = 0; w < tile_words; ++w) tile[w * tile_rows + r] = line[w];
         });
  }

  void find_hits(const PackedPanel& left, const PackedPanel& right, const TileSide& left_side,
                 const TileSide& right_side, std::vector<TileHit>& hits,
                 KernelScratch& scratch) const override {
    const Tiles tiles;
    const std::size_t steps = steps_of(left.dimension);
    const std::size_t stride = steps * tile_size;
    scratch.products.resize(block * block);
    float* const sums = scratch.products.data();
    for (std::size_t c = 0; c < right.count; c += block)
      for (std::size_t r = 0; r < left.count; r += block) {
        tiles.multiply(left.words.data() + r / tile_rows * stride, stride,
                       right.words.data() + c / tile_rows * stride, stride, steps, sums);
        tiles.take_hits(sums, r, c, left.count, right.count, left_side, right_side, hits);
      }
  }

  void write_values(const PackedPanel& left, const PackedPanel& right, const TileSide& left_side,
                    const TileSide& right_side, float* out, std::size_t stride,
                    KernelScratch& scratch) const override {
    const Tiles tiles;
    const std::size_t steps = steps_of(left.dimension);
    const std::size_t words = steps * tile_size;
    scratch.products.resize(block * block);
    float* const sums = scratch.products.data();
    for (std::size_t c = 0; c < right.count; c += block)
      for (std::size_t r = 0; r < left.count; r += block) {
        tiles.multiply(left.words.data() + r / tile_rows * words, words,
                       right.words.data() + c / tile_rows * words, words, steps, sums);
        write_products(sums, block, block, block, left_side.offsets.data() + r, right_side.offsets.data() + c,
                       out + r * stride + c, stride);
      }
  }

 private:
  /// Tiles of 16 rows, all steps of a group one after the other; groups come in twos, the last filled with
  /// zeros.
  template <class Put>
  static void pack(const float* rows, std::size_t count, std::size_t dimension, float factor,
                   PackedPanel& out, Put put) {
    const std::size_t steps = steps_of(dimension);
    const std::size_t filled = (count + block - 1) / block * block;
    out.count = count;
    out.dimension = dimension;
    out.words.resize(filled * steps * tile_words);
    thread_local std::vector<std::uint32_t> line;
    line.assign(steps * tile_words, 0);
    for (std::size_t r = 0; r < filled; ++r) {
      if (r < count) {
        pair_up(rows + r * dimension, dimension, factor, line.data());
      } else if (r == count) {
        std::fill(line.begin(), line.end(), 0U);
      }
      std::uint32_t* const group = out.words.data() + r / tile_rows * steps * tile_size;
      for (std::size_t step = 0; step < steps; ++step)
        put(group + step * tile_size, r % tile_rows, line.data() + step * tile_words);
    }
  }

  std::string_view name_;
};

#if defined(__x86_64__)

bool ask_for_amx() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned bf16_bit = 1U << 22;
  constexpr unsigned tile_bit = 1U << 24;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  if ((d & bf16_bit) == 0 || (d & tile_bit) == 0) return false;
  constexpr long request_permission = 0x1023;
  constexpr long tile_data = 18;
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

#endif

}  // namespace

#if defined(__x86_64__)

bool amx_permitted() {
  static const bool permitted = ask_for_amx();
  return permitted;
}

const TileKernel& amx_kernel() {
  static const AmxKernel<HardwareTiles> kernel("amx");
  return kernel;
}

#else

bool amx_permitted() {
  return false;
}

const TileKernel& amx_kernel() {
  return emulated_amx_kernel();
}

#endif

const TileKernel& emulated_amx_kernel() {
  static const AmxKernel<EmulatedTiles> kernel("amx-emulated");
  return kernel;
}

}  // namespace pith
