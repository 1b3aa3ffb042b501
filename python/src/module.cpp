#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "arrays.h"
#include "base/suggest.h"
#include "calls.h"
#include "data/manifest.h"
#include "errors.h"
#include "graphs.h"
#include "pipeline/option_table.h"
#include "pipeline/outputs.h"
#include "selections.h"
#include "strategy/registry.h"

namespace pith::python {
namespace {

/// The table of options, as JSON: what pith.options() and the type stubs are made of.
std::string options_json() {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const OptionSpec& spec : select_option_specs())
    all.push_back({{"name", spec.name},
                   {"values", spec.value_name},
                   {"help", spec.help},
                   {"group", spec.group},
                   {"default", spec.get(SelectOptions{})}});
  return all.dump();
}

std::string strategies_json() {
  const auto& specs = select_option_specs();
  const auto balance =
      std::find_if(specs.begin(), specs.end(), [](const OptionSpec& spec) { return spec.name == "balance"; });
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Strategy& strategy : strategies()) {
    SelectOptions options;
    options.balance.balance = strategy.default_balance;
    all.push_back({{"name", strategy.name},
                   {"summary", strategy.summary},
                   {"balance", balance->get(options)},
                   {"needs_graph", strategy.needs_objective},
                   {"needs_embeddings", strategy.needs_embeddings},
                   {"models", strategy.needs_models},
                   {"uses_seed", strategy.uses_seed}});
  }
  return all.dump();
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The library behind pith; use the package pith instead.";
  bind_errors(module);
  bind_matrix(module);
  bind_graph(module);
  bind_selection(module);
  bind_calls(module);
  module.def("options_json", &options_json);
  module.def("strategies_json", &strategies_json);
  module.def("version", &version);
  module.def("require_ids", [](const std::vector<std::string>& ids) { require_ids(ids); });
  module.def("nearest_word", [](const std::string& word, const std::vector<std::string>& words) {
    const std::vector<std::string_view> views(words.begin(), words.end());
    return nearest_word(word, views);
  });
}

}  // namespace pith::python
