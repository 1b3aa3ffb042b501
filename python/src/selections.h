#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "pipeline/outputs.h"
#include "pipeline/run_inputs.h"
#include "pith/select.h"

namespace pith::python {

/// A selection with all that its outputs are made of. It keeps the arrays it was made from; what is read
/// of them again must be as notes.inputs tells it.
struct Chosen {
  Selection selection;
  std::vector<std::string> ids;  ///< empty, or one an item
  RunNotes notes;
  RunInputs inputs = {};  ///< for the report and for exports
};

void bind_selection(pybind11::module_& module);

}  // namespace pith::python
