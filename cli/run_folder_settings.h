#pragma once

#include <string>
#include <vector>

#include "pipeline/run_inputs.h"
#include "settings.h"

namespace pith::cli {

/// The folder of a run and where its files are now, shared by report and serve. `written_by` and `shown` end
/// the descriptions: what wrote the folder, and what small pictures are shown of.
[[nodiscard]] std::vector<Setting> run_folder_settings(const std::string& written_by,
                                                       const std::string& shown);
[[nodiscard]] InputPaths read_input_paths(const Settings& settings);

}  // namespace pith::cli
