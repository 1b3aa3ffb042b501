#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "data/bytes.h"
#include "pith/error.h"

// PITH_FUZZ_TARGET(name) opens the body of a function of `input` that may throw pith::Error and nothing else.
// On its own it makes a libFuzzer program; with PITH_FUZZ_REPLAY, a function fuzz_<name> for the test that
// replays the corpus.
#ifdef PITH_FUZZ_REPLAY
#define PITH_FUZZ_TARGET(name) inline void fuzz_##name(std::span<const std::byte> input)
#else
#define PITH_FUZZ_TARGET(name)                                                        \
  static void fuzz_##name(std::span<const std::byte> input);                          \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    try {                                                                             \
      fuzz_##name({reinterpret_cast<const std::byte*>(data), size});                  \
    } catch (const pith::Error&) {                                                    \
    }                                                                                 \
    return 0;                                                                         \
  }                                                                                   \
  static void fuzz_##name(std::span<const std::byte> input)
#endif

namespace pith::fuzz {

inline Bytes bytes_of_input(std::span<const std::byte> input, std::string name) {
  return {.data = input, .owner = nullptr, .name = std::move(name)};
}

}  // namespace pith::fuzz
