#include "graphs.h"

#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "arrays.h"
#include "base/output_folder.h"
#include "call.h"
#include "data/checks.h"
#include "pipeline/describe_graph.h"
#include "pith/pith.h"

namespace py = pybind11;

namespace pith::python {
namespace {

Graph build(const Matrix& embeddings, const GivenTexts& given, const py::object& progress) {
  const GraphOptions options = read_graph_options(given);
  Graph graph;
  run_call(given, progress, [&](const Run& run) {
    static_cast<void>(check_embeddings(embeddings, run));
    graph = build_graph(embeddings, options, run);
  });
  return graph;
}

Graph append(const Graph& graph, const Matrix& embeddings, const Matrix& more, const GivenTexts& given,
             const py::object& progress) {
  Graph longer;
  run_call(given, progress, [&](const Run& run) {
    static_cast<void>(check_embeddings(more, run));
    longer = append_graph(graph, embeddings, more, run, "the graph");
  });
  return longer;
}

Graph load(const std::string& path, const GivenTexts& given, const py::object& progress) {
  Graph graph;
  run_call(given, progress, [&](const Run& run) { graph = load_graph(path, run); });
  return graph;
}

void save(const Graph& graph, const std::string& path) {
  const py::gil_scoped_release released;
  require_writable_place(path);
  save_graph(graph, path);
}

}  // namespace

void bind_graph(py::module_& module) {
  py::class_<Graph>(module, "Graph")
      .def_static("build", &build)
      .def_static("load", &load)
      .def("save", &save)
      .def("append", &append)
      .def_property_readonly("items", &Graph::size)
      .def_property_readonly("edges", &Graph::edge_count)
      .def_property_readonly("neighbors", [](const Graph& graph) { return graph.info().neighbors; })
      .def_property_readonly("fingerprint", [](const Graph& graph) { return graph.info().fingerprint; })
      .def("search_json", [](const Graph& graph) { return search_json(graph.info()).dump(); })
      .def("search_text", [](const Graph& graph) { return describe_search(graph.info()); })
      .def("csr", [](const py::object& self) {
        const Graph& graph = self.cast<const Graph&>();
        return py::make_tuple(view_of(graph.offsets(), self), view_of(graph.all_neighbors(), self),
                              view_of(graph.all_dissimilarities(), self));
      });
}

}  // namespace pith::python
