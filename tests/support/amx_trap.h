#pragma once

namespace pith::testing {

/// While one lives, AMX instructions that this processor does not know are carried out by the handler of the
/// signal they raise, so that the code of the amx kernel itself runs anywhere, slowly. Where the processor
/// has AMX nothing is caught and nothing changes. The arithmetic is the manual's: even and odd products of a
/// step in sums of their own, subnormal numbers taken and given as zero.
class AmxTrap {
 public:
  AmxTrap();
  ~AmxTrap();
  AmxTrap(const AmxTrap&) = delete;
  AmxTrap& operator=(const AmxTrap&) = delete;

  /// How many instructions were carried out so far, by all threads.
  [[nodiscard]] static unsigned long long caught() noexcept;
};

}  // namespace pith::testing
