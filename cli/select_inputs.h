#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "pipeline/outputs.h"
#include "pipeline/prepare_input.h"
#include "pith/pith.h"
#include "settings.h"

namespace pith::cli {

/// Every setting of `pith select`.
[[nodiscard]] std::vector<Setting> select_settings();

/// The options a strategy runs with; refuses caps that it would ignore.
[[nodiscard]] SelectOptions read_options(const Settings& settings);

/// What the files hold, and what they were.
struct Inputs {
  SelectInput input;
  std::vector<std::string> ids;
  RunNotes notes;
  std::uint64_t bytes_of_ids = 0;
  Plan plan;  ///< of what is to come; with --plan, nothing has been read yet
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

/// Reads and checks every file the settings name; before the work, tells the plan and refuses one that does
/// not fit. `strategies`: those to be run, if not the one of the options.
[[nodiscard]] Inputs read_inputs(const Settings& settings, const SelectOptions& options, const Run& run,
                                 const std::vector<std::string>& strategies = {});

/// Its two halves, for those who share the second: opens the files and reads the lists...
[[nodiscard]] Inputs open_inputs(const Settings& settings, const Run& run);
/// ... and looks at every number of the embeddings and probabilities.
void look_through(Inputs& inputs, const Settings& settings, const SelectOptions& options,
                  InputReader& reader);

/// select() of them, with what the command holds itself in the plan.
[[nodiscard]] Selection select_from(const Inputs& inputs, const SelectOptions& options, const Run& run);

/// What the command says in the end, unless it is to be quiet: the whole summary as JSON, or a dozen lines.
void print_result(const Settings& settings, const Selection& selection, const RunNotes& notes,
                  const std::string& out);

}  // namespace pith::cli
