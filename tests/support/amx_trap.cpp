#include "support/amx_trap.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <signal.h>
#include <ucontext.h>

#include "graph/kernels/amx_kernel.h"
#endif

namespace pith::testing {
namespace {

std::atomic<unsigned long long> instructions{0};

#if defined(__x86_64__)

struct TileState {
  std::uint16_t line_bytes[8];
  std::uint8_t lines[8];
  std::uint8_t data[8][16][64];
};
thread_local TileState tiles;
struct sigaction before;

/// One instruction: VEX prefix of three bytes, opcode, ModRM, and where it names memory SIB and displacement.
struct Instruction {
  unsigned prefix;  ///< 0 none, 1: 66, 2: F3, 3: F2
  unsigned vector;  ///< the register in the VEX prefix
  unsigned opcode;
  unsigned mode;
  unsigned reg;
  unsigned rm;
  unsigned length;
  std::uint8_t* base;
  std::uint64_t index;  ///< times its scale: the distance of lines where the operand is a tile in memory
};

constexpr int registers[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                               REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

/// False for anything but a VEX instruction of map 0F38.
bool decode(const ucontext_t& context, Instruction& out) {
  const auto* const code = reinterpret_cast<const std::uint8_t*>(context.uc_mcontext.gregs[REG_RIP]);
  if (code[0] != 0xc4 || (code[1] & 0x1fU) != 2) return false;
  const unsigned high_index = (code[1] & 0x40U) == 0 ? 8 : 0;
  const unsigned high_base = (code[1] & 0x20U) == 0 ? 8 : 0;
  out.prefix = code[2] & 3U;
  out.vector = (~code[2] >> 3U) & 15U;
  out.opcode = code[3];
  out.mode = code[4] >> 6U;
  out.reg = (code[4] >> 3U) & 7U;
  out.rm = code[4] & 7U;
  out.length = 5;
  out.base = nullptr;
  out.index = 0;
  if (out.mode == 3) return true;
  const auto value = [&](unsigned name) {
    return static_cast<std::uint64_t>(context.uc_mcontext.gregs[registers[name]]);
  };
  const bool has_sib = out.rm == 4;
  unsigned base = out.rm | high_base;
  if (has_sib) {
    const unsigned sib = code[out.length++];
    base = (sib & 7U) | high_base;
    const unsigned index = ((sib >> 3U) & 7U) | high_index;
    if (index != 4) out.index = value(index) << (sib >> 6U);
  }
  std::int64_t displacement = 0;
  const bool base_is_displacement = out.mode == 0 && (base & 7U) == 5;
  if (out.mode == 1) {
    displacement = static_cast<std::int8_t>(code[out.length++]);
  } else if (out.mode == 2 || base_is_displacement) {
    std::int32_t wide = 0;
    std::memcpy(&wide, code + out.length, sizeof wide);
    displacement = wide;
    out.length += 4;
  }
  std::uint64_t address = value(base);
  if (base_is_displacement)  // without a SIB byte it counts from the next instruction
    address = has_sib ? 0 : static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]) + out.length;
  out.base = reinterpret_cast<std::uint8_t*>(address + static_cast<std::uint64_t>(displacement));
  return true;
}

float flushed(float x) noexcept {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}

float bf16_at(const std::uint8_t* line, unsigned at) noexcept {
  std::uint16_t half = 0;
  std::memcpy(&half, line + 2 * at, sizeof half);
  return flushed(std::bit_cast<float>(std::uint32_t{half} << 16U));
}

void multiply(unsigned sums, unsigned left, unsigned right) {
  for (unsigned m = 0; m < tiles.lines[sums]; ++m)
    for (unsigned n = 0; n < tiles.line_bytes[sums] / 4U; ++n) {
      float parts[2] = {0, 0};
      for (unsigned k = 0; k < tiles.line_bytes[left] / 4U; ++k)
        for (unsigned odd = 0; odd < 2; ++odd)
          parts[odd] = flushed(std::fma(bf16_at(tiles.data[left][m], 2 * k + odd),
                                        bf16_at(tiles.data[right][k], 2 * n + odd), parts[odd]));
      float sum = 0;
      std::memcpy(&sum, tiles.data[sums][m] + 4 * n, sizeof sum);
      sum = flushed(flushed(sum) + flushed(parts[0] + parts[1]));
      std::memcpy(tiles.data[sums][m] + 4 * n, &sum, sizeof sum);
    }
}

/// False where it is none of the instructions of tiles, or one they would refuse.
bool carry_out(const Instruction& now) {
  constexpr unsigned none = 0;
  constexpr unsigned f3 = 2;
  constexpr unsigned f2 = 3;
  const bool in_memory = now.mode != 3;
  if (now.opcode == 0x49 && now.prefix == none && in_memory && now.reg == 0) {  // ldtilecfg
    if (now.base[0] != 1) return false;                                         // the only palette
    std::memset(&tiles, 0, sizeof tiles);
    for (unsigned tile = 0; tile < 8; ++tile) {
      std::memcpy(&tiles.line_bytes[tile], now.base + 16 + 2 * tile, 2);
      tiles.lines[tile] = now.base[48 + tile];
      if (tiles.line_bytes[tile] > 64 || tiles.lines[tile] > 16) return false;
    }
    return true;
  }
  if (now.opcode == 0x49 && now.prefix == none && !in_memory && now.reg == 0 && now.rm == 0) {  // tilerelease
    std::memset(&tiles, 0, sizeof tiles);
    return true;
  }
  if (tiles.lines[now.reg] == 0) return false;                 // not configured
  if (now.opcode == 0x49 && now.prefix == f2 && !in_memory) {  // tilezero
    std::memset(tiles.data[now.reg], 0, sizeof tiles.data[now.reg]);
    return true;
  }
  if (now.opcode == 0x4b && (now.prefix == f2 || now.prefix == f3) && in_memory && now.rm == 4) {
    const bool load = now.prefix == f2;  // tileloadd, else tilestored
    if (load) std::memset(tiles.data[now.reg], 0, sizeof tiles.data[now.reg]);
    for (unsigned line = 0; line < tiles.lines[now.reg]; ++line) {
      std::uint8_t* const memory = now.base + line * now.index;
      std::uint8_t* const tile = tiles.data[now.reg][line];
      std::memcpy(load ? tile : memory, load ? memory : tile, tiles.line_bytes[now.reg]);
    }
    return true;
  }
  if (now.opcode == 0x5c && now.prefix == f3 && !in_memory && now.vector < 8) {  // tdpbf16ps
    // Shapes must fit, and the three tiles be different ones.
    if (now.reg == now.rm || now.reg == now.vector || now.rm == now.vector) return false;
    if (tiles.lines[now.rm] != tiles.lines[now.reg] ||
        tiles.line_bytes[now.vector] != tiles.line_bytes[now.reg] ||
        tiles.lines[now.vector] != tiles.line_bytes[now.rm] / 4)
      return false;
    multiply(now.reg, now.rm, now.vector);
    return true;
  }
  return false;
}

void on_unknown_instruction(int signal, siginfo_t*, void* its_context) {
  auto& context = *static_cast<ucontext_t*>(its_context);
  Instruction now{};
  if (decode(context, now) && carry_out(now)) {
    context.uc_mcontext.gregs[REG_RIP] += now.length;
    instructions.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  sigaction(signal, &before, nullptr);  // not ours: raised again, it ends as it would have
}

#endif

}  // namespace

#if defined(__x86_64__)

AmxTrap::AmxTrap() {
  if (amx_permitted()) return;
  struct sigaction action {};
  action.sa_sigaction = on_unknown_instruction;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGILL, &action, &before);
}

AmxTrap::~AmxTrap() {
  if (!amx_permitted()) sigaction(SIGILL, &before, nullptr);
}

#else

AmxTrap::AmxTrap() = default;
AmxTrap::~AmxTrap() = default;

#endif

unsigned long long AmxTrap::caught() noexcept {
  return instructions.load();
}

}  // namespace pith::testing
