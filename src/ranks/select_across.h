#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pith/select.h"
#include "ranks/communicator.h"

namespace pith {

/// `exact`: the picks of one machine. `bounding`: run_bounding(), for comparison and for graphs too dense to
/// settle quickly.
enum class Distributed : std::uint8_t { exact, bounding };

/// How a selection across ranks goes about it. But for `distributed` it never changes what is selected.
struct AcrossOptions {
  Distributed distributed = Distributed::exact;
  /// Where unfinished work is saved, for all ranks to see; empty: nowhere.
  std::string checkpoint_folder = {};
  double checkpoint_seconds = 120;  ///< least time between two saves
  /// Of the input and the options: saved work of another selection is not looked at.
  std::string identity = {};
};

/// What bounding did, and what it lost.
struct BoundingNote {
  int partitions = 0;
  int rounds = 0;
  std::uint64_t included = 0;  ///< by bounds alone
  std::uint64_t excluded = 0;
  std::size_t exact_picks = 0;  ///< of the exact greedy, which runs besides for comparison
  double exact_objective = 0;   ///< f of these
  double ratio_to_exact = 0;    ///< f of the picks / that
  /// The same without the part of every gain that is the same for all, which flatters.
  double ratio_without_constant = 0;
};

/// select() by several ranks, each given the same input, of which it reads its own rows: the same picks,
/// gains and certificate, on every rank. Collective. Throws SharedError where all ranks fail alike.
[[nodiscard]] Selection select_across(Communicator& ranks, const SelectInput& input,
                                      const SelectOptions& options, const AcrossOptions& across,
                                      const Run& run = {}, std::optional<BoundingNote>* note = nullptr);

/// Once the result is written: takes the saved work away. By one rank.
void forget_checkpoints(const AcrossOptions& across);

}  // namespace pith
