#include "arrays.h"

#include <fmt/format.h>

#include "pith/error.h"
#include "pith/read.h"

namespace py = pybind11;

namespace pith::python {
namespace {

/// The last matrix that looks at an array may go on a thread without the GIL.
std::shared_ptr<const void> keep_alive(py::object object) {
  return {object.release().ptr(), [](PyObject* held) {
            const py::gil_scoped_acquire acquired;
            Py_DECREF(held);
          }};
}

Scalar scalar_of(const py::dtype& type, bool bfloat16, const std::string& source) {
  if (bfloat16 && type.itemsize() == 2) return Scalar::bf16;
  if (type.kind() == 'f' && type.itemsize() == 2) return Scalar::f16;
  if (type.kind() == 'f' && type.itemsize() == 4) return Scalar::f32;
  if (type.kind() == 'f' && type.itemsize() == 8) return Scalar::f64;
  throw Error(ErrorKind::unsupported, fmt::format("{}: dtype {} given; pass floats: array.astype('float32')",
                                                  source, py::str(py::handle(type)).cast<std::string>()));
}

}  // namespace

Matrix matrix_of(const py::array& array, std::string source, bool bfloat16) {
  if (array.ndim() != 2)
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: shape {} given; one row an item is needed, so two dimensions: {}", source,
                            py::str(py::object(array.attr("shape"))).cast<std::string>(),
                            array.ndim() == 1 ? "array.reshape(-1, 1) if each item is one number"
                                              : "array.reshape(len(array), -1)"));
  const py::dtype type = array.dtype();
  const MatrixView view{.data = static_cast<const std::byte*>(array.data()),
                        .rows = static_cast<std::size_t>(array.shape(0)),
                        .cols = static_cast<std::size_t>(array.shape(1)),
                        .row_stride_bytes = array.strides(0),
                        .col_stride_bytes = array.strides(1),
                        .scalar = scalar_of(type, bfloat16, source),
                        .byte_swapped = !type.attr("isnative").cast<bool>()};
  if (view.rows == 0 || view.cols == 0)
    throw Error(ErrorKind::bad_input, fmt::format("{}: shape ({}, {}) given; there is nothing in it", source,
                                                  view.rows, view.cols));
  if (view.rows >= 0xffffffffU)
    throw Error(ErrorKind::bad_input,
                fmt::format("{}: {} rows given; Pith handles fewer than 2^32 - 1", source, view.rows));
  return {.view = view, .owner = keep_alive(array), .source = std::move(source)};
}

std::vector<Item> items_of(const py::array_t<std::int64_t>& indices, std::size_t items,
                           const char* argument) {
  std::vector<Item> out;
  out.reserve(static_cast<std::size_t>(indices.size()));
  const auto at = indices.unchecked<1>();
  for (py::ssize_t entry = 0; entry < at.shape(0); ++entry) {
    if (at(entry) < 0 || static_cast<std::size_t>(at(entry)) >= items)
      throw Error(ErrorKind::bad_input,
                  fmt::format("{}: entry {}: item {} is out of range; there are {} items, counted from 0",
                              argument, entry, at(entry), items));
    out.push_back(static_cast<Item>(at(entry)));
  }
  return out;
}

std::vector<std::optional<std::uint32_t>> labels_of(const py::array_t<std::int64_t>& labels,
                                                    std::size_t labelled) {
  const auto at = labels.unchecked<1>();
  if (static_cast<std::size_t>(at.shape(0)) != labelled)
    throw Error(ErrorKind::bad_input, fmt::format("labels: {} given for {} labelled items; give one each, -1 "
                                                  "where it is not known",
                                                  at.shape(0), labelled));
  std::vector<std::optional<std::uint32_t>> out;
  for (py::ssize_t entry = 0; entry < at.shape(0); ++entry) {
    if (at(entry) < -1 || at(entry) >= 0xffffffff)
      throw Error(ErrorKind::bad_input,
                  fmt::format("labels: entry {}: {} is no class; count classes from 0 as "
                              "in probs, or write -1 where it is not known",
                              entry, at(entry)));
    out.push_back(at(entry) < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(at(entry))));
  }
  return out;
}

void bind_matrix(py::module_& module) {
  py::class_<Matrix>(module, "Matrix")
      .def(py::init(&matrix_of), py::arg("array"), py::arg("source"), py::arg("bfloat16") = false)
      .def_static(
          "of_file", [](const std::string& path) { return read_matrix(path); },
          py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("address",
                             [](const Matrix& m) { return reinterpret_cast<std::uintptr_t>(m.view.data); })
      .def_property_readonly("rows", &Matrix::rows)
      .def_property_readonly("scalar", [](const Matrix& m) { return name_of(m.view.scalar); });
}

}  // namespace pith::python
