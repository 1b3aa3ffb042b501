#include "selections.h"

#include <pybind11/stl.h>

#include <limits>

#include "arrays.h"

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

}  // namespace

void bind_selection(py::module_& module) {
  py::class_<Chosen>(module, "Selection")
      .def("indices", &indices_of)
      .def("columns", &columns_of)
      .def("boundaries", &boundaries_of)
      .def("boundary_labels", &boundary_labels)
      .def("summary_json",
           [](const Chosen& chosen) { return py::bytes(summary_json(chosen.selection, chosen.notes)); })
      .def("text", [](const Chosen& chosen) { return summary_text(chosen.selection); })
      .def("save", &save)
      .def_property_readonly("items", [](const Chosen& chosen) { return chosen.selection.items; });
}

}  // namespace pith::python
