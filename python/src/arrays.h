#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pith/matrix.h"

namespace pith::python {

/// A view of a two-dimensional array of floats, whatever its strides and byte order, without a copy; the
/// array lives as long as the matrix. `bfloat16`: the elements are 16-bit integers that hold the bits of such
/// floats.
[[nodiscard]] Matrix matrix_of(const pybind11::array& array, std::string source, bool bfloat16);

/// Items by index, each below `items`; `argument` is what errors call them.
[[nodiscard]] std::vector<Item> items_of(const pybind11::array_t<std::int64_t>& indices, std::size_t items,
                                         const char* argument);

/// Classes of the labelled items; -1: not known.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> labels_of(
    const pybind11::array_t<std::int64_t>& labels, std::size_t labelled);

/// A new array of what `get` finds in each of `rows`.
template <class Number, class Rows, class Get>
pybind11::array_t<Number> column_of(const Rows& rows, const Get& get) {
  pybind11::array_t<Number> column(static_cast<pybind11::ssize_t>(rows.size()));
  Number* out = column.mutable_data();
  for (const auto& row : rows) *out++ = static_cast<Number>(get(row));
  return column;
}

/// The numbers where they are, read only; `owner` keeps them alive.
template <class Number>
pybind11::array view_of(std::span<const Number> numbers, const pybind11::object& owner) {
  pybind11::array_t<Number> view(static_cast<pybind11::ssize_t>(numbers.size()), numbers.data(), owner);
  view.attr("setflags")(pybind11::arg("write") = false);
  return view;
}

void bind_matrix(pybind11::module_& module);

}  // namespace pith::python
