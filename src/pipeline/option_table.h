#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pipeline/option_values.h"

namespace pith {

/// One option of a selection, described once: the command line, the TOML file, summary.json and the reference
/// are all made from this table.
struct OptionSpec {
  std::string name;        ///< as on the command line, without the dashes
  std::string value_name;  ///< what stands behind it in the help
  std::string help;
  std::string group;
  /// Parses a value. Throws Error{bad_option} naming the option, the value and what is allowed.
  std::function<void(SelectOptions&, const std::string&)> set;
  std::function<nlohmann::ordered_json(const SelectOptions&)> get;
  bool repeatable = false;  ///< may be given several times, or with commas between
};

[[nodiscard]] const std::vector<OptionSpec>& select_option_specs();

/// The help text with the default behind it, where there is one to tell.
[[nodiscard]] std::string help_with_default(const OptionSpec& spec);

}  // namespace pith
