#include "base/unique_name.h"

#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "base/rng.h"

namespace pith {

std::string unique_name(std::string_view start) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::uint64_t bits = 0;
  // Where the system has no random numbers yet: who finds the name taken asks again.
  static std::atomic<std::uint64_t> asked = 0;
  if (::getrandom(&bits, sizeof bits, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof bits))
    bits = random_bits(static_cast<std::uint64_t>(::getpid()), ++asked);
  std::string name(start);
  for (int at = 0; at < 6; ++at, bits /= letters.size()) name += letters[bits % letters.size()];
  return name;
}

}  // namespace pith
