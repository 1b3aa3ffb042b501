#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "constraint/balance.h"
#include "pith/select.h"
#include "strategy/registry.h"

namespace pith {

/// Seconds since the last lap, under a name. Measured for the reader, never looked at to decide anything.
class StageClock {
 public:
  explicit StageClock(std::vector<std::pair<std::string, double>>& out) : out_(out) {}
  void lap(const char* stage) {
    const auto now = std::chrono::steady_clock::now();
    out_.emplace_back(stage, std::chrono::duration<double>(now - last_).count());
    last_ = now;
  }

 private:
  std::vector<std::pair<std::string, double>>& out_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Everything about a selection that is settled before a graph is looked at.
struct Frame {
  const Strategy& strategy;
  Pool pool;
  Balance balance;  ///< with the caps in force
  std::int64_t budget = 0;
};

/// Settles the options and checks the input against them.
[[nodiscard]] const Strategy& check_selection(Selection& selection, const SelectInput& input,
                                              const SelectOptions& asked);

/// Settles pool, caps and budget of a selection whose options are checked, and notes them in it.
[[nodiscard]] Frame frame_selection(Selection& selection, const SelectInput& input, const Strategy& strategy);

/// Fills in what is known of picks without a graph: their rows, and how full classes and boundaries are.
void describe_picks(Selection& selection, const std::vector<Pick>& picks, const Predictions& predictions,
                    const Balance& balance);

}  // namespace pith
