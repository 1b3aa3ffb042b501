#include "calls.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>
#include <optional>
#include <utility>

#include "arrays.h"
#include "call.h"
#include "data/manifest.h"
#include "pipeline/compare.h"
#include "pipeline/kept_selection.h"
#include "pipeline/prepare_input.h"
#include "pipeline/unused_options.h"
#include "pith/error.h"
#include "pith/pith.h"
#include "selections.h"

namespace py = pybind11;

namespace pith::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Integers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

/// What to choose from, as Python hands it over; whatever is not there is None.
struct Source {
  std::optional<Matrix> embeddings;
  std::vector<Matrix> probs;
  bool logits = false;
  std::optional<Graph> graph;
  std::string graph_name;
  std::optional<Integers> labelled;
  std::optional<Integers> labels;
  std::optional<Integers> excluded;
  std::optional<Numbers> scores;
  std::optional<Numbers> costs;
};

std::vector<double> numbers_of(const std::optional<Numbers>& array) {
  if (!array) return {};
  return {array->data(), array->data() + array->size()};
}

SelectInput input_of(const Source& source) {
  if (!source.embeddings && !source.graph)
    throw Error(ErrorKind::bad_option, "--embeddings is missing; pass them, or a graph of them");
  SelectInput input;
  input.probabilities = {.members = source.probs, .logits = source.logits};
  if (source.embeddings) {
    input.embeddings = *source.embeddings;
    require_same_items(input.embeddings, input.probabilities);
  }
  input.graph = source.graph;
  const std::size_t items = input.probabilities.items();
  if (source.labelled) input.labelled = items_of(*source.labelled, items, "labelled");
  if (source.labels) input.labels = labels_of(*source.labels, input.labelled.size());
  if (source.excluded) input.excluded = items_of(*source.excluded, items, "exclude");
  input.scores = numbers_of(source.scores);
  input.costs = numbers_of(source.costs);
  return input;
}

RunInputs inputs_of(const SelectInput& input) {
  RunInputs inputs;
  if (input.embeddings.rows() > 0) inputs.embeddings = input.embeddings;
  inputs.probabilities = input.probabilities;
  inputs.graph = input.graph;
  inputs.labelled = input.labelled;
  return inputs;
}

/// A share that Python gave as a number is taken as it is, not by way of a percentage.
SelectOptions options_of(const GivenTexts& given, std::optional<double> share) {
  SelectOptions options = read_given_options(given);
  if (share) options.budget.amount = *share;
  return options;
}

void prepare(SelectInput& input, RunNotes& notes, const SelectOptions& options, const Source& source,
             const Run& run) {
  const auto started = std::chrono::steady_clock::now();
  prepare_input(input, options, source.graph_name, notes.inputs, run);
  notes.threads = run.thread_count();
  notes.seconds.emplace_back(
      "read", std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
}

Chosen call_select(const Source& source, std::vector<std::string> ids, const GivenTexts& given,
                   std::optional<double> share, const py::object& progress) {
  const SelectOptions options = settle_given_options(given, options_of(given, share));
  SelectInput input = input_of(source);
  Chosen chosen{.selection = {}, .ids = std::move(ids), .notes = {}};
  chosen.notes.unused = find_unused(given, options);
  run_call(given, progress, [&](const Run& run) {
    prepare(input, chosen.notes, options, source, run);
    chosen.selection =
        std::move(select_and_keep(input, options, {.besides = bytes_held_by(chosen.ids)}, run)->selection);
    chosen.notes.peak_rss_bytes = peak_rss_bytes();
  });
  chosen.inputs = inputs_of(input);
  return chosen;
}

std::string note_unused(const GivenTexts& given, const SelectOptions& options,
                        const std::vector<std::string>& strategies) {
  std::string out;
  for (const UnusedOption& option : find_unused_by_all(given, options, strategies))
    out += fmt::format("  note: --{} is used by none of these: {}\n", option.name, option.because);
  return out;
}

py::tuple call_compare(const Source& source, const std::vector<std::string>& ids,
                       const std::string& strategies, const GivenTexts& given, std::optional<double> share,
                       const py::object& progress) {
  const std::vector<std::string> names = read_strategy_names(strategies);
  const SelectOptions options = options_of(given, share);
  SelectInput input = input_of(source);
  RunNotes notes;
  Comparison comparison;
  run_call(given, progress, [&](const Run& run) {
    prepare(input, notes, options, source, run);
    const auto predictions = [&](UncertaintyKind kind) {
      if (kind == options.objective.uncertainty) return input.predictions;
      return read_predictions(input.probabilities, kind, run, options.balance.boundaries_per_item);
    };
    comparison = compare(input, options, names, predictions, run, bytes_held_by(ids));
    notes.peak_rss_bytes = peak_rss_bytes();
  });
  py::dict selections;
  const std::string json = comparison_json(comparison);
  const std::string text = comparison_text(comparison) + note_unused(given, options, names);
  for (ComparisonRow& row : comparison.rows) {
    const std::string name = row.selection.options.strategy;
    selections[py::str(name)] = Chosen{std::move(row.selection), ids, notes, inputs_of(input)};
  }
  return py::make_tuple(py::bytes(json), text, selections);
}

}  // namespace

void bind_calls(py::module_& module) {
  py::class_<Source>(module, "Source")
      .def(py::init<>())
      .def_readwrite("embeddings", &Source::embeddings)
      .def_readwrite("probs", &Source::probs)
      .def_readwrite("logits", &Source::logits)
      .def_readwrite("graph", &Source::graph)
      .def_readwrite("graph_name", &Source::graph_name)
      .def_readwrite("labelled", &Source::labelled)
      .def_readwrite("labels", &Source::labels)
      .def_readwrite("excluded", &Source::excluded)
      .def_readwrite("scores", &Source::scores)
      .def_readwrite("costs", &Source::costs);
  module.def("select", &call_select);
  module.def("compare", &call_compare);
}

}  // namespace pith::python
