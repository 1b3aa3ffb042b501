#pragma once

#include <cstdint>

namespace pith {

/// Sebastiano Vigna's splitmix64 step: a bijection of 64 bits that leaves no visible pattern.
constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// The random number of (seed, index): the same on every machine, whoever asks and in whatever order.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index) noexcept {
  return mix64(mix64(seed) ^ mix64(~index));
}

/// Uniform in [0,1), a multiple of 2^-53.
constexpr double random_unit(std::uint64_t seed, std::uint64_t index) noexcept {
  return static_cast<double>(random_bits(seed, index) >> 11) * 0x1p-53;
}

/// A stream of them.
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed) noexcept : seed_(seed) {}
  constexpr std::uint64_t bits() noexcept { return random_bits(seed_, next_++); }
  constexpr double unit() noexcept { return random_unit(seed_, next_++); }
  /// Uniform in [0, bound), bound > 0, by multiplication (bias below bound / 2^64).
  constexpr std::uint64_t below(std::uint64_t bound) noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(bits()) * bound) >> 64);
  }
  /// Standard normal, by Box and Muller.
  double normal() noexcept;

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

}  // namespace pith
