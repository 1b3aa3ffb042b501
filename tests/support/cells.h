#pragma once

#include <string>

#include "experiment/cell.h"

namespace pith::testing {

/// A finished cell with this accuracy; the rest is made up.
inline train::CellResult cell(std::uint64_t trial, const std::string& budget, const std::string& variant,
                              double accuracy, std::uint64_t items = 0) {
  train::CellResult result;
  result.key = {.trial = trial, .budget = budget, .variant = variant};
  result.options = "--strategy " + variant;
  result.accuracy = accuracy;
  result.items = items != 0 ? items : static_cast<std::uint64_t>(std::stoul(budget));
  result.loss = 1.25;
  result.training_loss = 0.5;
  result.steps = 40;
  return result;
}

}  // namespace pith::testing
