#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "run_app.h"

namespace pith::cli {

/// Where the command line asks for train, embed or experiment and pith-train stands beside this program, or
/// for serve and pith-serve does, becomes that program and does not return. So libtorch, or the HTTP library
/// and all it brings along, is loaded by those who need it and nobody else.
void hand_over(char** argv);

/// Lists these commands in the help. Run without their program, they say how to get it.
[[nodiscard]] std::vector<Command> add_handed_over(CLI::App& app);

}  // namespace pith::cli
