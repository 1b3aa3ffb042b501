#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "pith/error.h"

namespace pith::cli {

/// What the process ends with for each kind of error.
[[nodiscard]] int exit_code(ErrorKind kind);

/// A subcommand's name and what runs it.
struct Command {
  std::string name;
  std::function<void()> run;
};

/// Parses the command line, runs the command it names, and turns what goes wrong into one line on standard
/// error and an exit code: 2 bad option, 3 bad input, 4 input/output, 5 infeasible, 130 interrupted.
int run_app(CLI::App& app, int argc, char** argv, std::span<const Command> commands);

/// What the command expects to hold at most, for the message where memory does not do. The last one counts.
void note_planned_memory(std::uint64_t bytes) noexcept;

}  // namespace pith::cli
