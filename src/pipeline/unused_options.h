#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/given_options.h"

namespace pith {

/// An option that was given and makes no difference.
struct UnusedOption {
  std::string name;
  std::string because;
};

/// Of the options given, those that a run with `settled` (settle_given_options()) does not look at.
[[nodiscard]] std::vector<UnusedOption> find_unused(const GivenTexts& given, const SelectOptions& settled);

/// Those that neither one of several strategies looks at nor f, by which compare() measures all of them.
[[nodiscard]] std::vector<UnusedOption> find_unused_by_all(const GivenTexts& given,
                                                           const SelectOptions& options,
                                                           std::span<const std::string> strategies);

}  // namespace pith
