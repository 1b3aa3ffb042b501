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
};

/// Reads and checks every file the settings name.
[[nodiscard]] Inputs read_inputs(const Settings& settings, const SelectOptions& options, const Run& run);

}  // namespace pith::cli
