#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "commands/common.h"
#include "experiment/results.h"
#include "experiment/variant.h"
#include "network/schedule.h"
#include "pith/run.h"

namespace pith::train {

/// dataset x variants x budgets x trials.
struct ExperimentPlan {
  std::vector<Variant> variants;
  std::vector<std::string> budgets;  ///< as written: "10%", "5000"
  std::uint64_t trials = 3;
  std::uint64_t seed = 0;             ///< trial t has seed + t
  std::string seed_fraction = "10%";  ///< what the seed model is trained on
  bool all_data = true;               ///< also train on everything
  TrainOptions training;              ///< on every subset
  TrainOptions seed_training;
  std::string out;
};

/// One training to be done.
struct PlannedCell {
  CellKey key;
  std::string options;
  std::uint64_t items = 0;
  std::uint64_t steps = 0;
};

/// All cells, in the order they are done: trial by trial, so that an unfinished experiment can be judged too.
[[nodiscard]] std::vector<PlannedCell> plan_cells(const ExperimentPlan& plan, std::size_t pool_items);

/// What must stay the same for cells to be comparable.
[[nodiscard]] nlohmann::ordered_json setting_of(const ExperimentPlan& plan, const Pool& pool);

/// Called after every cell: how many are done of all, and about how many seconds are left.
using CellReport =
    std::function<void(const CellResult& result, std::size_t done, std::size_t all, double seconds_left)>;

/// Does every cell that the store does not have. A cell: choose by the seed model's embeddings and
/// probabilities, train from scratch on the picks, test. Within a trial all cells share the seed model and
/// the first weights.
void run_experiment(const ExperimentPlan& plan, const Pool& pool, ResultsStore& store,
                    const std::string& device, const CellReport& report, const Run& run);

}  // namespace pith::train
