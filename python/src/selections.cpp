#include "selections.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "arrays.h"
#include "base/output_file.h"
#include "base/output_folder.h"
#include "call.h"
#include "data/manifest.h"
#include "data/refuse.h"
#include "handover/export.h"
#include "pith/error.h"
#include "report/report.h"

namespace py = pybind11;

namespace pith::python {
namespace {

py::array_t<std::int64_t> indices_of(const Chosen& chosen) {
  return column_of<std::int64_t>(chosen.selection.picks, [](const PickRow& row) { return row.item; });
}

/// The columns of selection.csv that are numbers, by their names there. What was not measured is NaN.
py::dict columns_of(const Chosen& chosen) {
  const Selection& selection = chosen.selection;
  const auto& picks = selection.picks;
  const auto measured = [&](double value) {
    return selection.measured ? value : std::numeric_limits<double>::quiet_NaN();
  };
  py::dict columns;
  std::int64_t rank = 0;
  columns["rank"] = column_of<std::int64_t>(picks, [&](const PickRow&) { return rank++; });
  columns["index"] = indices_of(chosen);
  columns["id"] = py::none();
  columns["gain"] = column_of<double>(picks, [&](const PickRow& row) { return measured(row.gain); });
  columns["uncertainty"] = column_of<double>(picks, [](const PickRow& row) { return row.uncertainty; });
  columns["pair_penalty"] =
      column_of<double>(picks, [&](const PickRow& row) { return measured(row.pair_penalty); });
  columns["triple_gain"] =
      column_of<double>(picks, [&](const PickRow& row) { return measured(row.triple_gain); });
  columns["class"] = column_of<std::int64_t>(picks, [](const PickRow& row) { return row.class_label; });
  columns["boundary"] = py::none();
  if (selection.measured)
    columns["represents"] = column_of<std::int64_t>(picks, [](const PickRow& row) { return row.represents; });
  else
    columns["represents"] = column_of<double>(picks, [&](const PickRow&) { return measured(0); });
  columns["score"] = column_of<double>(picks, [](const PickRow& row) { return row.score; });
  columns["augmented"] = column_of<bool>(picks, [](const PickRow& row) { return row.augmented; });
  for (const TermShare& other : selection.objective.others)
    columns[py::str(other.name)] = column_of<double>(other.gains, [](double gain) { return gain; });
  return columns;
}

/// Which of boundary_labels() each pick has; -1: none.
py::array_t<std::int64_t> boundaries_of(const Chosen& chosen) {
  return column_of<std::int64_t>(chosen.selection.picks, [](const PickRow& row) {
    return row.boundary ? static_cast<std::int64_t>(*row.boundary) : -1;
  });
}

std::vector<std::string> boundary_labels(const Chosen& chosen) {
  std::vector<std::string> labels;
  for (const GroupRow& row : chosen.selection.boundaries)
    labels.push_back(std::to_string(row.first) + "-" + std::to_string(row.second));
  return labels;
}

void save(const Chosen& chosen, const std::string& folder) {
  const py::gil_scoped_release released;
  write_selection(folder, chosen.selection, chosen.ids, chosen.notes, {});
}

using ClassNames = std::variant<std::vector<std::string>, std::string>;

/// As given, or out of a file.
std::vector<std::string> names_of(const ClassNames& given, std::uint32_t classes) {
  if (const auto* path = std::get_if<std::string>(&given)) return read_class_names(*path, classes);
  const auto& names = std::get<std::vector<std::string>>(given);
  if (!names.empty() && names.size() != classes)
    throw Error(ErrorKind::bad_input,
                fmt::format("class_names: {} names for {} classes; give one a class", names.size(), classes));
  return names;
}

void write_whole(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.put_in_place();
}

void require_unchanged(const Matrix& matrix, const std::string& role, const RunNotes& notes, const Run& run) {
  const auto note = std::find_if(notes.inputs.begin(), notes.inputs.end(),
                                 [&](const InputNote& input) { return input.role == role; });
  if (note == notes.inputs.end() || note->checksum == fingerprint_of(matrix.view, run)) return;
  refuse_input(matrix.source, "changed since select(); select again, or put its numbers back as they were");
}

/// The arrays are the caller's: they must hold the numbers that the picks were chosen by.
void require_unchanged(const ClassProbabilities& probabilities, const RunNotes& notes, const Run& run) {
  for (std::size_t at = 0; at < probabilities.members.size(); ++at)
    require_unchanged(probabilities.members[at], at == 0 ? "probs" : fmt::format("probs-{}", at + 1), notes,
                      run);
}

std::vector<std::string> report(const Chosen& chosen, const std::string& path, const std::string& name,
                                const ClassNames& class_names, const std::string& images,
                                const std::string& experiment, const GivenTexts& given,
                                const py::object& progress) {
  ReportOptions options;
  options.images = images;
  options.experiment = experiment;
  options.map = read_map_options(given);
  Report made;
  run_call(given, progress, [&](const Run& run) {
    require_writable_place(path);
    if (chosen.inputs.embeddings)
      require_unchanged(*chosen.inputs.embeddings, "embeddings", chosen.notes, run);
    require_unchanged(chosen.inputs.probabilities, chosen.notes, run);
    ReportedRun reported{.name = name,
                         .folder = run_in_memory(chosen.selection, chosen.ids, chosen.notes, run),
                         .inputs = chosen.inputs,
                         .class_names = names_of(class_names, chosen.selection.classes)};
    made = make_report(std::move(reported), options, run);
    write_whole(path, made.html);
  });
  return made.notes;
}

using OpenRun = std::function<std::pair<RunFolder, RunInputs>(const Run&)>;

/// The text, and what is to be said about it.
py::tuple export_picks(const OpenRun& open, const std::string& format, const std::string& path,
                       const ClassNames& class_names, ExportNames names) {
  std::string text;
  std::vector<std::string> notes;
  run_call({}, py::none(), [&](const Run& run) {
    const ExportFormat& wanted = find_export_format(format);
    const auto [folder, inputs] = open(run);
    names.classes = names_of(class_names, folder.classes());
    text = export_run(folder, inputs.probabilities, wanted, names);
    const nlohmann::json* probs = folder.input("probs");
    if (inputs.probabilities.empty() && probs != nullptr)
      notes.push_back(fmt::format(
          "probs ({}) are not where the run found them, or have changed; say --probs FILE for the scores",
          printable(probs->value("path", std::string()))));
    if (!path.empty()) write_whole(path, text);
  });
  return py::make_tuple(py::bytes(text), notes);
}

void bind_export(py::module_& module) {
  py::class_<ExportNames>(module, "ExportNames")
      .def(py::init<>())
      .def_readwrite("prefix", &ExportNames::prefix)
      .def_readwrite("data_key", &ExportNames::data_key)
      .def_readwrite("from_name", &ExportNames::from_name)
      .def_readwrite("to_name", &ExportNames::to_name);
  module.def("export_selection", [](const Chosen& chosen, const std::string& format, const std::string& path,
                                    const ClassNames& class_names, const ExportNames& names) {
    const auto open = [&](const Run& run) {
      require_unchanged(chosen.inputs.probabilities, chosen.notes, run);
      return std::pair(run_in_memory(chosen.selection, chosen.ids, chosen.notes, run), chosen.inputs);
    };
    return export_picks(open, format, path, class_names, names);
  });
  module.def("export_folder", [](const std::string& from, const std::vector<std::string>& probs,
                                 const std::string& format, const std::string& path,
                                 const ClassNames& class_names, const ExportNames& names) {
    const auto open = [&](const Run& run) {
      RunFolder folder = read_run_folder(from);
      RunInputs found = find_run_inputs(folder, {.probs = probs}, {.embeddings = false, .graph = false}, run);
      return std::pair(std::move(folder), std::move(found));
    };
    return export_picks(open, format, path, class_names, names);
  });
}

}  // namespace

void bind_selection(py::module_& module) {
  py::class_<Chosen>(module, "Selection")
      .def("indices", &indices_of)
      .def("columns", &columns_of)
      .def("boundaries", &boundaries_of)
      .def("boundary_labels", &boundary_labels)
      .def("summary_json",
           [](const Chosen& chosen) { return py::bytes(summary_json(chosen.selection, chosen.notes)); })
      .def("text", [](const Chosen& chosen) { return summary_text(chosen.selection, chosen.notes); })
      .def("save", &save)
      .def("report", &report)
      .def_property_readonly("items", [](const Chosen& chosen) { return chosen.selection.items; });
  bind_export(module);
}

}  // namespace pith::python
