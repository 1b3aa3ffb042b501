#pragma once

#include <stdexcept>
#include <string>

namespace pith {

/// What went wrong, as far as a caller can act on it. The command turns each into an exit code.
enum class ErrorKind { bad_option, bad_input, io, unsupported, infeasible, interrupted };

/// The one exception type of Pith. what() is one line that names the file, row, value and remedy where known.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace pith
