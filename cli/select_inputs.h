#pragma once

#include <string>
#include <vector>

#include "pipeline/outputs.h"
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
  Plan plan;  ///< of what is to come; with --plan, nothing has been read yet
};

/// Who reads. Of several ranks the first looks at the embeddings and probabilities as a whole; the others map
/// them, and leave notes and predictions empty. Plans are made for one who is alone.
enum class Reader { alone, first_rank, other_rank };

/// Reads and checks every file the settings name; before the work, tells the plan and refuses one that does
/// not fit. `strategies`: those to be run, if not the one of the options.
[[nodiscard]] Inputs read_inputs(const Settings& settings, const SelectOptions& options, const Run& run,
                                 const std::vector<std::string>& strategies = {},
                                 Reader reader = Reader::alone);

}  // namespace pith::cli
