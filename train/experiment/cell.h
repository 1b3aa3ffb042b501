#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace pith::train {

/// One way to choose, under a name: a strategy with options of its own.
struct Variant {
  std::string name;
  std::string options;  ///< as on the command line of pith select: "--strategy submod-bal --gamma 0.3"

  bool operator==(const Variant&) const = default;
};

/// The variant that stands for training on everything.
inline constexpr const char* full_name = "all data";
/// The budget it has.
inline constexpr const char* full_budget = "100%";

/// The variants that the verdict compares all others with, where they were run.
inline constexpr std::array control_names = {"random", "stratified"};

/// One training of the experiment.
struct CellKey {
  std::uint64_t trial = 0;
  std::string budget;   ///< as the user wrote it: "10%", "5000"
  std::string variant;  ///< its name

  auto operator<=>(const CellKey&) const = default;
};

/// What came out of it.
struct CellResult {
  CellKey key;
  std::string options;  ///< of the variant
  std::uint64_t items = 0;
  double accuracy = 0;  ///< share of the test (or validation) items classified correctly
  double loss = 0;      ///< mean cross entropy on them
  double training_loss = 0;
  std::uint64_t steps = 0;
  double select_seconds = 0;
  double train_seconds = 0;
  std::uint64_t classes_covered = 0;     ///< true classes with at least one pick
  std::uint64_t boundaries_covered = 0;  ///< of the seed model's decision boundaries; 0 for all data
  double mean_uncertainty = 0;           ///< of the picks, by the seed model; 0 for all data

  /// Whether the training led nowhere. Its last step may be the one: then no loss of the training shows it.
  [[nodiscard]] bool went_astray() const { return !std::isfinite(training_loss) || !std::isfinite(loss); }
};

}  // namespace pith::train
