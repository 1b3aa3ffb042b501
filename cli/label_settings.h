#pragma once

#include <string>
#include <vector>

#include "handover/import.h"
#include "settings.h"

namespace pith::cli {

/// The options that tell how labels are called, shared by import and round.
[[nodiscard]] std::vector<Setting> label_settings(const std::string& group);
[[nodiscard]] ImportOptions read_label_options(const Settings& settings);

/// One name a line for each class; empty where --class-names is not given. `classes`: how many there must
/// be, where known.
[[nodiscard]] std::vector<std::string> read_class_names(const Settings& settings,
                                                        std::optional<std::size_t> classes);

}  // namespace pith::cli
