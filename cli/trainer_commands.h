#pragma once

#include <CLI/CLI.hpp>
#include <vector>

#include "run_app.h"

namespace pith::cli {

/// Where the command line asks for train, embed or experiment and pith-train stands beside this program,
/// becomes that program and does not return. So libtorch is loaded by those who need it and nobody else.
void hand_over_to_trainer(char** argv);

/// Lists the three in the help. Run without pith-train, they say how to get it.
[[nodiscard]] std::vector<Command> add_trainer_commands(CLI::App& app);

}  // namespace pith::cli
