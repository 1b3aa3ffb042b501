#include "errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "pipeline/option_table.h"
#include "pith/error.h"
#include "strategy/registry.h"

namespace py = pybind11;

namespace pith::python {
namespace {

const OptionSpec* find_spec(std::string_view name) {
  for (const OptionSpec& spec : select_option_specs())
    if (spec.name == name) return &spec;
  return nullptr;
}

/// Arguments that are no options of the table.
bool is_input(std::string_view name) {
  static constexpr std::array<std::string_view, 16> inputs = {
      "embeddings", "probs", "logits",     "graph",   "labelled", "exclude", "scores", "costs",
      "ids",        "to",    "strategies", "threads", "preset",   "map",     "points", "images"};
  return std::find(inputs.begin(), inputs.end(), name) != inputs.end();
}

/// Whether the word is a value: a number, a choice of the option, a term=weight, or a placeholder like FILE.
bool is_value(std::string_view name, std::string_view word) {
  if (word.empty()) return false;
  if (std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) return true;
  if (word.find_first_not_of("0123456789.%") == std::string_view::npos) return true;
  if (word.find('=') != std::string_view::npos) return true;
  if (name == "strategy")
    return std::any_of(strategies().begin(), strategies().end(),
                       [&](const Strategy& strategy) { return strategy.name == word; });
  const OptionSpec* spec = find_spec(name);
  return spec != nullptr &&
         fmt::format("|{}|", spec->value_name).find(fmt::format("|{}|", word)) != std::string::npos;
}

bool needs_quotes(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '%'; });
}

/// --out is no keyword: where to write is an argument of save() and export().
bool replace_out(std::string& text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 2> places = {
      {{"choose another ", "choose another folder"}, {"pith select ", "save() or pith select"}}};
  for (const auto& [before, instead] : places) {
    if (!text.ends_with(before)) continue;
    text.replace(text.size() - before.size(), before.size(), instead);
    return true;
  }
  return false;
}

std::string keyword_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name == "lambda" ? "lambda_" : name;
}

}  // namespace

std::string in_keywords(std::string_view message) {
  static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz-";
  std::string out;
  std::size_t at = 0;
  for (std::size_t dashes; (dashes = message.find("--", at)) != std::string_view::npos;) {
    const std::size_t name_end = std::min(message.find_first_not_of(letters, dashes + 2), message.size());
    const std::string name(message.substr(dashes + 2, name_end - dashes - 2));
    out += message.substr(at, dashes - at);
    at = name_end;
    if (name == "out" && replace_out(out)) continue;
    if (find_spec(name) == nullptr && !is_input(name)) {
      out += message.substr(dashes, name_end - dashes);
      continue;
    }
    out += keyword_of(name);
    if (name == "logits") out += "=True";
    if (at >= message.size() || message[at] != ' ') continue;
    const std::size_t word_end = std::min(message.find_first_of(" ;,)", at + 1), message.size());
    const std::string_view word = message.substr(at + 1, word_end - at - 1);
    if (!is_value(name, word)) continue;
    out += needs_quotes(word) ? fmt::format("='{}'", word) : fmt::format("={}", word);
    at = word_end;
  }
  return out += message.substr(at);
}

namespace {

/// The classes, kept for the life of the process.
struct Classes {
  PyObject* base = nullptr;
  PyObject* option = nullptr;
  PyObject* input = nullptr;
  PyObject* io = nullptr;
  PyObject* unsupported = nullptr;
  PyObject* infeasible = nullptr;
};
Classes classes;

PyObject* make_class(py::module_& module, const char* name, const char* doc, const py::tuple& bases) {
  PyObject* made = PyErr_NewExceptionWithDoc(fmt::format("pith.{}", name).c_str(), doc, bases.ptr(), nullptr);
  if (made == nullptr) throw py::error_already_set();
  module.attr(name) = py::handle(made);
  return made;
}

PyObject* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_option:
      return classes.option;
    case ErrorKind::bad_input:
      return classes.input;
    case ErrorKind::io:
      return classes.io;
    case ErrorKind::unsupported:
      return classes.unsupported;
    case ErrorKind::infeasible:
      return classes.infeasible;
    case ErrorKind::interrupted:
      return PyExc_KeyboardInterrupt;
  }
  return classes.base;
}

/// A path in the message may hold bytes that are no UTF-8.
void raise(PyObject* type, const std::string& message) {
  const auto text = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
  PyErr_SetObject(type, text.ptr());
}

void translate(std::exception_ptr failure) {
  try {
    if (failure) std::rethrow_exception(std::move(failure));
  } catch (const Error& error) {
    raise(class_of(error.kind()), in_keywords(error.what()));
  } catch (const std::length_error&) {
    raise(PyExc_MemoryError, "more memory was asked for than any machine has");
  } catch (const std::bad_alloc&) {
    raise(PyExc_MemoryError, "out of memory; take fewer items or neighbours, or a machine with more memory");
  } catch (const std::system_error& error) {
    raise(classes.io, error.what());
  }
}

}  // namespace

void bind_errors(py::module_& module) {
  const py::handle value_error(PyExc_ValueError);
  const py::handle os_error(PyExc_OSError);
  classes.base = make_class(module, "Error", "Anything that Pith refuses or fails at.",
                            py::make_tuple(py::handle(PyExc_Exception)));
  const py::handle base(classes.base);
  const auto value_kind = py::make_tuple(base, value_error);
  classes.option =
      make_class(module, "OptionError",
                 "An argument is not understood, out of range, or does not go with another one.", value_kind);
  classes.input =
      make_class(module, "InputError",
                 "The data are not what they should be: shapes, NaN, rows that do not sum to 1.", value_kind);
  classes.unsupported =
      make_class(module, "UnsupportedError", "The data are of a kind that Pith does not read.", value_kind);
  classes.infeasible =
      make_class(module, "InfeasibleError",
                 "The caps cannot meet the budget, and shortfall='error' was asked for.", value_kind);
  classes.io =
      make_class(module, "IoError", "A file cannot be read or written.", py::make_tuple(base, os_error));
  py::register_exception_translator(&translate);
  module.def("in_keywords", [](const std::string& message) { return in_keywords(message); });
}

}  // namespace pith::python
