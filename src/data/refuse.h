#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "data/text.h"
#include "pith/error.h"

namespace pith {

/// Throws one line, "source: what is wrong; remedy", of the given kind.
template <class... Args>
[[noreturn]] void refuse(ErrorKind kind, const std::string& source, fmt::format_string<Args...> text,
                         Args&&... args) {
  throw Error(kind, printable(source) + ": " + fmt::format(text, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void refuse_input(const std::string& source, fmt::format_string<Args...> text, Args&&... args) {
  refuse(ErrorKind::bad_input, source, text, std::forward<Args>(args)...);
}

template <class... Args>
[[noreturn]] void refuse_unsupported(const std::string& source, fmt::format_string<Args...> text,
                                     Args&&... args) {
  refuse(ErrorKind::unsupported, source, text, std::forward<Args>(args)...);
}

}  // namespace pith
