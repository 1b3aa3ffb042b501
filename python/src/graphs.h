#pragma once

#include <pybind11/pybind11.h>

namespace pith::python {

void bind_graph(pybind11::module_& module);

}  // namespace pith::python
