#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/cell.h"
#include "experiment/statistics.h"

namespace pith::train {

/// Accuracy of one variant at one budget over the trials that are finished, in percent.
struct Entry {
  std::string budget;
  std::string variant;
  Estimate accuracy;
};

/// How much better than a control, in points, over the trials that both have finished: paired by seed.
struct Comparison {
  std::string budget;
  std::string variant;
  std::string control;
  Estimate gain;
  [[nodiscard]] bool beats() const noexcept { return gain.low > 0; }
  [[nodiscard]] bool loses() const noexcept { return gain.high < 0; }
};

/// A variant's smallest budget whose mean accuracy lies within, or above, the confidence interval of all
/// data.
struct Sufficient {
  std::string variant;
  std::string budget;
  double accuracy = 0;
};

struct Verdict {
  std::vector<std::string> budgets;   ///< in ascending order of items
  std::vector<std::string> variants;  ///< in the order they were first finished, all data left out
  std::vector<Entry> entries;
  std::vector<std::string> controls;  ///< those of random and stratified that were run
  std::vector<Comparison> comparisons;
  std::optional<Estimate> all_data;  ///< in percent
  std::vector<Sufficient> sufficient;
  std::size_t cells = 0;
  std::size_t astray = 0;  ///< of the cells, how many trainings ended with a loss that is no number

  [[nodiscard]] const Entry* find(const std::string& budget, const std::string& variant) const;
};

[[nodiscard]] Verdict judge(const std::vector<CellResult>& results, double confidence = 0.95);

/// A row a variant, a column a budget: mean and deviation of the accuracy.
[[nodiscard]] std::string table_text(const Verdict& verdict);

/// What the numbers allow to say, in words.
[[nodiscard]] std::string verdict_text(const Verdict& verdict);

}  // namespace pith::train
