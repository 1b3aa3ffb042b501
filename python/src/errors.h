#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>

namespace pith::python {

/// A message of the library in the words of a Python caller: --class-cap becomes class_cap, --balance class
/// becomes balance='class', --lambda becomes lambda_.
[[nodiscard]] std::string in_keywords(std::string_view message);

/// Makes pith.Error and one subclass a kind, and lets every pith::Error arrive as one of them.
void bind_errors(pybind11::module_& module);

}  // namespace pith::python
