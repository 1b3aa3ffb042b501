#pragma once

#include <map>
#include <string>
#include <vector>

#include "pith/select.h"

namespace pith {

/// What a caller said, in words, by the option's name; inputs that came along (graph, scores, costs, ...)
/// stand there by their names too, whatever their text. Command line, TOML file and Python all end here, so
/// that all of them parse alike and fail with the same words.
using GivenTexts = std::map<std::string, std::string>;

/// The options as given, checked against each other but not yet against a strategy.
[[nodiscard]] SelectOptions read_given_options(const GivenTexts& given);

/// The options the strategy really runs with (effective_options()). Refuses caps that would not hold.
[[nodiscard]] SelectOptions settle_given_options(const GivenTexts& given, const SelectOptions& options);

/// Those of the graph alone.
[[nodiscard]] GraphOptions read_graph_options(const GivenTexts& given);

/// "a, b,c": names of strategies, each known and named once.
[[nodiscard]] std::vector<std::string> read_strategy_names(const std::string& text);

/// Run::threads, from "threads"; 0 where it is not given.
[[nodiscard]] unsigned read_threads(const GivenTexts& given);

}  // namespace pith
